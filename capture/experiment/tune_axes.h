#pragma once

#include "capture/experiment/design.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kvprof::experiment {

/// Lanes that an op is tuned for.
struct TuneShape {
    std::int64_t lanes = 0;
    std::int64_t length = 0;                 ///< tokens of each
    std::int64_t long_length = 0;            ///< tokens of one lane more; 0: there is none
    std::optional<Fragmentation> order = {}; ///< of the ids; absent: the step's

    friend bool operator==(const TuneShape&, const TuneShape&) = default;
};

/// Reads "64x8224", "64x1024+1000000" (64 lanes of 1,024 tokens and one of 1,000,000), either with
/// ":identity" or another order of ids behind. @throws UsageError for anything else.
[[nodiscard]] TuneShape parse_shape(std::string_view text);

/// What `kvprof tune` tries: every combination of the choices, at every shape.
struct TuneAxes {
    OpKind op = OpKind::token_stream;
    std::vector<TuneShape> shapes;
    std::vector<Vary> choices; ///< of index-split, index-threads, ...; a field once

    friend bool operator==(const TuneAxes&, const TuneAxes&) = default;
};

/// The token stream, with all that is compiled and 4 and 8 blocks a multiprocessor of a card of
/// 132, at two even batches, a long and a skewed one.
[[nodiscard]] TuneAxes default_tune_axes();

/// Whether the op has choices to tune.
[[nodiscard]] bool can_tune(OpKind op);

/// At each shape a cell of what the op ships with (no option given), which its note describes, then
/// one of each other choice of the axes. A cell that can not be planned is one all the same:
/// whoever checks cells says why.
[[nodiscard]] std::vector<Cell>
cells_of_tuning(const StepSpec& base, const MeasureSpec& measure, const TuneAxes& axes);

} // namespace kvprof::experiment
