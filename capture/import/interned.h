#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

namespace kvprof::import {

/// Spreads a key over 64 bits: the finaliser of SplitMix64.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t value) {
    value += 0x9e3779b97f4a7c15U;
    value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
    value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
    return value ^ (value >> 31U);
}

/// Keys, each held once, by small ids in order of first appearance. A key has `hash()`. Records
/// come in runs of few keys, so that most are found in a small cache.
template<class Key>
class Interned {
  public:
    [[nodiscard]] std::uint32_t id_of(const Key& key) {
        const std::uint64_t hash = key.hash();
        std::uint32_t& recent = recent_[hash % kRecent];
        if (recent >= keys_.size() || !(keys_[recent] == key)) {
            const auto [found, is_new] =
                ids_.try_emplace(key, static_cast<std::uint32_t>(keys_.size()));
            if (is_new) {
                keys_.push_back(key);
            }
            recent = found->second;
        }
        return recent;
    }

    [[nodiscard]] const Key& operator[](std::uint32_t id) const { return keys_[id]; }

    [[nodiscard]] std::uint32_t size() const noexcept {
        return static_cast<std::uint32_t>(keys_.size());
    }

  private:
    static constexpr std::size_t kRecent = 256;

    struct Hash {
        std::size_t operator()(const Key& key) const { return key.hash(); }
    };

    std::array<std::uint32_t, kRecent> recent_{};
    std::vector<Key> keys_;
    std::unordered_map<Key, std::uint32_t, Hash> ids_;
};

/// 64-bit values in 32 bits: small ones as they are, the few large ones by their place in a list.
/// Equal values have equal keys.
class WideValues {
  public:
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    [[nodiscard]] std::uint32_t key_of(std::uint64_t value) {
        if (value < kFirstWide) {
            return static_cast<std::uint32_t>(value);
        }
        return kFirstWide + wide_.id_of({value});
    }

    [[nodiscard]] std::uint64_t value_of(std::uint32_t key) const {
        return key < kFirstWide ? key : wide_[key - kFirstWide].value;
    }

  private:
    static constexpr std::uint32_t kFirstWide = 0xf0000000U;

    struct Wide {
        std::uint64_t value = 0;

        [[nodiscard]] std::uint64_t hash() const { return mixed(value); }

        friend bool operator==(const Wide&, const Wide&) = default;
    };

    Interned<Wide> wide_;
};

} // namespace kvprof::import
