#pragma once

#include "kernels/calls.h"
#include "tests/reference/reference_ids.h"
#include "tests/support/read_case.h"

#include <cstdint>
#include <vector>

namespace kvprof::test {

inline constexpr std::int32_t kPoison = -77;

/// One lane whose row, of which all columns are live, holds `tokens`.
[[nodiscard]] ReadCase one_lane(
    std::vector<std::int32_t> tokens,
    const std::vector<std::int64_t>& v2p,
    std::int64_t page_size,
    std::int64_t mult
);

[[nodiscard]] reference::ReadInputs reference_inputs(const ReadCase& read);

/// A page table over a poisoned buffer of `batch + 1` rows of `width + 3` columns.
struct TableBuffer {
    std::int64_t width = 0;
    std::int64_t stride = 0;
    std::vector<std::int32_t> out;

    TableBuffer(std::int64_t batch, std::int64_t columns);

    [[nodiscard]] kernels::PageTableCall call(ReadCase& read);

    /// The row's written columns: those before the first poison.
    [[nodiscard]] std::vector<std::int64_t> live(std::int64_t lane) const;
};

/// Builds the table on the host and gives its first lane's written columns.
[[nodiscard]] std::vector<std::int64_t> table_row(ReadCase& read, std::int64_t width);

/// A token stream over a poisoned buffer with five guard elements.
struct StreamBuffer {
    IndexBuffer out;

    StreamBuffer(std::int64_t tokens, kernels::IndexType type);

    [[nodiscard]] kernels::TokenStreamCall call(ReadCase& read);
};

/// Builds the whole stream on the host: one id per token.
[[nodiscard]] std::vector<std::int64_t>
stream_of(ReadCase& read, kernels::IndexType type = kernels::IndexType::i64);

} // namespace kvprof::test
