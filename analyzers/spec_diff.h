#pragma once

#include "capture/model/params.h"
#include "capture/model/run.h"

#include <string>
#include <string_view>
#include <vector>

namespace kvprof::analyzers {

/// A field of the step or the measure specification that differs between two sides.
struct SpecChange {
    std::string name;
    std::string base;
    std::string candidate;

    friend bool operator==(const SpecChange&, const SpecChange&) = default;
};

/// The fields of the step, then of the measurement, as text.
[[nodiscard]] std::vector<Param> params_of(const StepSpec& step, const MeasureSpec& measure);
[[nodiscard]] std::vector<Param> params_of(const Run& run);

/// Whether a field says how long a step was watched, and by whom: no treatment of it.
[[nodiscard]] bool is_about_watching(std::string_view field);

/// The fields whose values differ; how a step was watched (samples, passes, ...) is no change of
/// it.
/// @pre both lists name the same fields in the same order
[[nodiscard]] std::vector<SpecChange>
changes_between(const std::vector<Param>& base, const std::vector<Param>& candidate);

/// The names of the fields that take more than one value over the runs, in declaration order.
[[nodiscard]] std::vector<std::string> varying_fields(const std::vector<Run>& runs);

/// "batch=8 dcp=2" of the named fields.
[[nodiscard]] std::string
describe_fields(const std::vector<Param>& params, const std::vector<std::string>& names);

/// The value of one field; empty when there is no such field.
[[nodiscard]] std::string value_of(const std::vector<Param>& params, std::string_view name);

} // namespace kvprof::analyzers
