#pragma once

#include "kernels/calls.h"
#include "tests/kernels/read_helpers.h"

#include <cstdint>
#include <vector>

namespace kvprof::test {

/// A table and a stream that one launch fills. All memory is the host's; copies stand alone.
struct TableAndStreamCase {
    ReadCase read;
    bool zero_tail = false;
    std::int64_t table_rows = 0; ///< two more than there are lanes
    TableBuffer table;           ///< and a guard row
    IndexBuffer stream;          ///< five guard elements

    TableAndStreamCase(ReadCaseSpec spec, std::int64_t width, bool zeroes, kernels::IndexType type);

    [[nodiscard]] kernels::TableAndStreamCall call();
    /// What the launch must leave, guards included; by the reference, whatever the capacity.
    [[nodiscard]] std::vector<std::int32_t> expected_table() const;
    [[nodiscard]] std::vector<std::int64_t> expected_stream() const;
};

/// `count` seeded cases, every other one with starts, with and without zeroed tails.
[[nodiscard]] std::vector<TableAndStreamCase> random_table_and_stream_cases(int count);

} // namespace kvprof::test
