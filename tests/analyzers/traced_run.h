#pragma once

#include "capture/model/run.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace kvprof::test {

/// A run whose every step is alike, in whole nanoseconds: what its ledger must read.
struct TracedShape {
    struct OpTime {
        OpKind op{};
        std::int64_t ns = 0;
    };

    std::vector<OpTime> ops{{OpKind::page_table, 3000}, {OpKind::attention, 5000}};
    std::int64_t overlap = 200;             ///< of the records of a step
    std::int64_t gap = 700;                 ///< between the records of a step
    std::optional<std::int64_t> tail = 400; ///< to the next step of the batch
    std::int64_t batches = 6;
    std::int64_t steps_per_batch = 10;
    /// Of each batch, before its first record and after its last one; the last repeats.
    std::vector<std::int64_t> edges{900};
    std::int64_t untraced = 8000; ///< a step of the timing pass
};

/// A complete run with a timing pass of six samples and a nodes pass.
[[nodiscard]] Run traced_like(const TracedShape& shape);

} // namespace kvprof::test
