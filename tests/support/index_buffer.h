#pragma once

#include "kernels/index_access.h"

#include <cstdint>
#include <vector>

namespace kvprof::test {

/// An index array of either width, as bytes that can be copied anywhere.
struct IndexBuffer {
    kernels::IndexType type = kernels::IndexType::i64;
    std::vector<std::uint8_t> bytes;

    IndexBuffer(const std::vector<std::int64_t>& values, kernels::IndexType width);

    [[nodiscard]] kernels::IndexArray view() const { return {bytes.data(), type}; }

    [[nodiscard]] kernels::MutableIndexArray mutable_view() { return {bytes.data(), type}; }

    [[nodiscard]] std::vector<std::int64_t> values() const { return decode(bytes, type); }

    [[nodiscard]] static std::vector<std::int64_t>
    decode(const std::vector<std::uint8_t>& bytes, kernels::IndexType type);
};

} // namespace kvprof::test
