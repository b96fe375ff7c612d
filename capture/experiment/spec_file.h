#pragma once

#include "capture/model/measure_spec.h"
#include "capture/model/pass.h"
#include "capture/model/step_spec.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace kvprof::experiment {

/// What a child process is told to measure.
struct Assignment {
    StepSpec step;
    MeasureSpec measure;
    Pass pass = Pass::timing;

    friend bool operator==(const Assignment&, const Assignment&) = default;
};

/// One line `step.NAME=VALUE` or `measure.NAME=VALUE` per field, and `pass=VALUE`.
/// @throws UsageError for a value that holds a line break.
[[nodiscard]] std::string format_assignment(const Assignment& assignment);

/// @throws UnavailableError when the file can not hold all of it: a child that read half of its
/// options would measure another step than was asked for.
void write_assignment(const std::filesystem::path& path, const Assignment& assignment);

/// @throws BadDataError for a line that is none of `format_assignment`'s.
[[nodiscard]] Assignment parse_assignment(std::string_view text);

} // namespace kvprof::experiment
