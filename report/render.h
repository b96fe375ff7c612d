#pragma once

#include "report/report.h"

#include <string>

namespace kvprof::report {

/// The report in the form that its recipe names. The same report gives the same bytes: no clock, no
/// locale, no machine. @throws UsageError for a form that its subject can not take (junit of a
/// run), saying which can.
[[nodiscard]] std::string render(const Report& report);

/// What a GitHub Actions step hands to its runner.
struct GithubParts {
    std::string annotations; ///< workflow commands, for stdout
    std::string summary;     ///< Markdown, for $GITHUB_STEP_SUMMARY; under 1 MiB
    std::string outputs;     ///< name=value lines, for $GITHUB_OUTPUT
};

/// @throws UsageError when nothing is judged.
[[nodiscard]] GithubParts github_parts(const Report& report);

} // namespace kvprof::report
