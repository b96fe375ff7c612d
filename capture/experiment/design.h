#pragma once

#include "capture/model/ab_design.h"
#include "capture/model/measure_spec.h"
#include "capture/model/step_spec.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::experiment {

/// A field that takes several values: one axis of a matrix.
struct Vary {
    std::string field;
    std::vector<std::string> values;

    friend bool operator==(const Vary&, const Vary&) = default;
};

/// Reads "FIELD=A,B". @throws UsageError for any other shape, and for a value named twice.
[[nodiscard]] Vary parse_vary(std::string_view text);

/// One variant to measure.
struct Cell {
    std::string variant; ///< "index-mode=stream batch=8", empty when nothing varies
    StepSpec step;
    MeasureSpec measure;
    std::string program;                 ///< the kvprof binary that measures it; empty: this one
    std::vector<std::string> notes = {}; ///< of the plan: what was made smaller, and why
    std::string too_large = {};          ///< why it can not be measured on this device; or empty

    friend bool operator==(const Cell&, const Cell&) = default;
};

/// Sets one option of a cell, or its "program". @throws UsageError for an unknown name (with the
/// nearest) and for a value that is none.
void set_option(Cell& cell, const std::string& name, const std::string& value);

/// Decides the options that cells leave to their stage, pool and backend: what is compared and
/// stored is what was measured. A cell whose backend can not be loaded stays as it is, and whoever
/// checks cells says why.
void decide(std::vector<Cell>& cells);

/// One place in the order in which runs happen.
struct Slot {
    std::size_t cell = 0;
    std::int64_t repeat = 0;
    std::optional<AbPlace> ab = {}; ///< in an A/B experiment

    friend bool operator==(const Slot&, const Slot&) = default;
};

/// Every combination of the varied values over the base, the last axis moving fastest.
/// @throws UsageError for an unknown field or value (with the nearest), a field varied twice, and
/// more combinations than anybody waits for.
[[nodiscard]] std::vector<Cell>
cells_of(const StepSpec& step, const MeasureSpec& measure, const std::vector<Vary>& varies);

/// All cells once per repeat, forward in even repeats and backward in odd ones: a drift of the
/// machine that is linear in time weighs equally on every cell of a pair of repeats.
[[nodiscard]] std::vector<Slot> interleave(std::size_t cells, std::int64_t repeats);

} // namespace kvprof::experiment
