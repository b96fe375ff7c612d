#pragma once

#include <cstdint>
#include <vector>

/// A scalar model of the index operations, written from their description and not from the kernels'
/// formulas, so that a shared mistake still shows. Plain vectors, no widths, no strides.
namespace kvprof::reference {

using Ids = std::vector<std::int64_t>;

struct ReadInputs {
    std::vector<Ids> req_to_token; ///< one row per request; -1 is a hole
    Ids rows;                      ///< request of each lane
    Ids lens;                      ///< tokens of each lane
    Ids v2p;                       ///< -1: unbound
    std::int64_t mult = 1;
    std::int64_t page_size = 1;
};

/// The live prefix of each lane's row, cut at `width`.
[[nodiscard]] std::vector<Ids> page_table(const ReadInputs& in, std::int64_t width);

/// Ids of each lane's window, one lane after the other. Without starts all windows begin at 0.
[[nodiscard]] Ids token_stream(const ReadInputs& in, const Ids& starts);

[[nodiscard]] Ids
repack(const std::vector<Ids>& table, const Ids& lens, const Ids& starts, std::int64_t page_size);

/// Static pool: ids verbatim.
[[nodiscard]] Ids static_gather(const ReadInputs& in, const Ids& starts);

/// Static pool: pages of the live prefix; a hole gives page 0.
[[nodiscard]] std::vector<Ids> static_block_table(const ReadInputs& in, std::int64_t width);

[[nodiscard]] Ids indptr(const Ids& lens);

struct WriteRule {
    std::int64_t mult = 1;
    std::int64_t page_size = 1;
    std::int64_t dcp = 1;
    std::int64_t rank = 0;
};

[[nodiscard]] Ids write_locations(const Ids& loc, const Ids& v2p, const WriteRule& rule);

/// Both page tables of one sub-pool.
struct PageTables {
    Ids v2p;
    Ids p2v;

    void bind(const Ids& vpages, const Ids& ppages);
    /// The ascending run of physical pages from `start`.
    Ids alloc_bind(const Ids& vpages, std::int64_t start);
    /// Physical pages that the virtual pages had, -1 for an unbound one.
    Ids free_unbind(const Ids& vpages);
};

/// One new token per lane, whose length already counts it.
[[nodiscard]] Ids
alloc_decode(const Ids& lens, const Ids& last_loc, const Ids& free_pages, std::int64_t page_size);

} // namespace kvprof::reference
