#pragma once

#include "kernels/calls.h"
#include "tests/support/index_buffer.h"

#include <cstdint>
#include <random>
#include <vector>

namespace kvprof::test {

struct ReadCaseSpec {
    std::uint32_t seed = 1;
    std::int64_t page_size = 1;
    std::int64_t mult = 1;
    std::vector<std::int64_t> lens = {};
    std::vector<std::int64_t> starts = {}; ///< empty: none; else one per lane
    std::int64_t req_columns = 0;          ///< 0: as many as the longest lane needs
    int hole_percent = 0;                  ///< pages of req_to_token that are -1
    int tombstone_percent = 0;             ///< rows of v2p that are -1
    int foreign_percent = 0;               ///< pages that v2p has no row for
    kernels::IndexType v2p_type = kernels::IndexType::i64;
    kernels::IndexType lens_type = kernels::IndexType::i64;
    bool in_order = false; ///< v2p is the identity and ids ascend
};

/// Lanes with randomly ordered virtual and physical pages. v2p[0] = 0; the last row is -1. Columns
/// past a lane's window hold a token that no page table knows.
struct ReadCase {
    ReadCaseSpec spec;
    std::int64_t req_columns = 0;
    std::vector<std::int32_t> req_to_token;
    std::vector<std::int64_t> rows;
    IndexBuffer lens;
    IndexBuffer starts;
    IndexBuffer v2p;
    std::vector<std::int32_t> indptr; ///< [batch + 1]

    explicit ReadCase(ReadCaseSpec wanted);

    [[nodiscard]] std::int64_t batch() const { return static_cast<std::int64_t>(spec.lens.size()); }

    [[nodiscard]] std::int64_t tokens() const { return indptr.back(); }

    [[nodiscard]] std::int64_t longest() const;

    /// Over this case's own memory.
    [[nodiscard]] kernels::ReadLanes lanes();

    /// null when the case has no starts.
    [[nodiscard]] kernels::IndexArray starts_view() const;
};

/// Every combination of page size, mult, widths and damage that the properties P1 and P2 ask for:
/// `count` seeded cases, every other one with starts when `with_starts`.
[[nodiscard]] std::vector<ReadCaseSpec> random_read_cases(int count, bool with_starts);

} // namespace kvprof::test
