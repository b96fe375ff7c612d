#pragma once

#include <cstdint>

namespace kvprof::kernels {

enum class IndexType : std::uint8_t { i32, i64 };

[[nodiscard]] constexpr std::int64_t index_bytes(IndexType type) {
    return type == IndexType::i32 ? 4 : 8;
}

/// Reads an index array of either width.
struct IndexArray {
    const void* data = nullptr;
    IndexType type = IndexType::i64;
};

/// An index array that a kernel writes.
struct MutableIndexArray {
    void* data = nullptr;
    IndexType type = IndexType::i64;
};

/// Virtual page -> physical page of one sub-pool, `[rows]`; -1 is a tombstone or not bound.
/// A virtual page outside `[0, rows)` reads as unmapped.
struct V2p {
    void* data = nullptr;
    IndexType type = IndexType::i64;
    std::int64_t rows = 0;
};

/// Launch geometry of an index kernel: `ctx` bakes one block per 256 columns of the *context* into
/// the launch; `bs` depends on the batch alone and strides by the lengths read on the device.
enum class GridRule : std::uint8_t { ctx, bs };

/// What the page table and the token stream read: lane b owns row `rows[b]` of req_to_token.
struct ReadLanes {
    const std::int32_t* req_to_token = nullptr; ///< [max_reqs + 1, req_columns], -1 is a hole
    std::int64_t req_columns = 0;
    const std::int64_t* rows = nullptr; ///< [batch]
    IndexArray lens;                    ///< [batch], tokens per lane
    V2p v2p;
    std::int64_t mult = 1;
    std::int64_t page_size = 1;
    std::int64_t batch = 0;
};

} // namespace kvprof::kernels
