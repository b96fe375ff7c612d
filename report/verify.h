#pragma once

#include "report/recipe.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kvprof::report {

/// What a file says about itself.
struct ReportFile {
    Format format = Format::markdown;
    std::optional<Recipe> recipe; ///< nothing: the form carries none, or it was cut off
    std::string_view text;        ///< the report alone, where it stands among other text
};

/// Recognises a report by its content; of a pull request's text, the part that kvprof wrote.
/// @throws UsageError when the text is no report of kvprof, naming what was looked for.
[[nodiscard]] ReportFile read_report(std::string_view text);

/// The first place where a report does not say what the store gives.
struct Difference {
    std::string where;    ///< "line 9, row step.gpu_time, column base", "/metrics/0/p"
    std::string reported; ///< "3.586 ms"
    std::string derived;  ///< "3.585 ms"
    /// False: words alone differ, as between two versions of kvprof, and no number, unit or
    /// verdict.
    bool is_figure = true;
};

struct Verification {
    std::size_t figures = 0; ///< numbers that were compared, up to the first that differs
    std::optional<Difference> difference;
};

/// Compares a report with the one derived from the store. Line ends and the blanks at line ends do
/// not count; all else does.
[[nodiscard]] Verification
compare_reports(std::string_view reported, std::string_view derived, Format format);

} // namespace kvprof::report
