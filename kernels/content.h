#pragma once

#include "kernels/hd.h"

#include <cstdint>

/// Deterministic KV contents. A row's values depend on *which token it is* (its content key), never
/// on where it is stored, so a wrong index changes what attention reads, and every pool layout of
/// the same workload must give the same attention output.
namespace kvprof::kernels {

/// Mixes 64 bits (the finaliser of SplitMix64).
[[nodiscard]] KVPROF_HD constexpr std::uint64_t mix64(std::uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ULL;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/// Key of the token at `position` of a request; lanes that share a prefix pass the prefix's owner.
[[nodiscard]] KVPROF_HD constexpr std::uint64_t
content_key(std::uint64_t seed, std::int64_t owner, std::int64_t position) {
    return mix64(
        seed
        ^ mix64(
            (static_cast<std::uint64_t>(owner) << 40) ^ static_cast<std::uint64_t>(position)
            ^ 0x9e3779b97f4a7c15ULL
        )
    );
}

/// 64 times the value of element `element` of plane `plane` (K of layer l is 2l, V is 2l + 1; MLA's
/// latent row is 2l): an integer in [-64, 63].
[[nodiscard]] KVPROF_HD constexpr std::int32_t
content_sixty_fourths(std::uint64_t key, std::int64_t plane, std::int64_t element) {
    const std::uint64_t hash = mix64(
        key + 0x9e3779b97f4a7c15ULL * static_cast<std::uint64_t>(plane * 65536 + element + 1)
    );
    return static_cast<std::int32_t>(hash >> 57) - 64;
}

/// bf16 bits of the same element: exact, since 7 bits fit bf16's significand.
[[nodiscard]] KVPROF_HD constexpr std::uint16_t
content_bf16(std::uint64_t key, std::int64_t plane, std::int64_t element) {
    const std::int32_t k = content_sixty_fourths(key, plane, element);
    if (k == 0) {
        return 0;
    }
    const std::uint32_t sign = k < 0 ? 0x8000U : 0U;
    auto magnitude = static_cast<std::uint32_t>(k < 0 ? -k : k);
    std::uint32_t exponent = 127U; // value = magnitude / 64, so 64 has exponent 127
    while (magnitude < 64U) {
        magnitude <<= 1U;
        --exponent;
    }
    return static_cast<std::uint16_t>(sign | (exponent << 7U) | ((magnitude << 1U) & 0x7fU));
}

} // namespace kvprof::kernels
