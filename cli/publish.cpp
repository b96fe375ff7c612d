#include "cli/publish.h"

#include "capture/model/error.h"
#include "report/render.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

namespace kvprof::cli {

namespace {

/// Adds to a file of the runner, which other steps write to as well; false without one.
bool append_to(const char* variable, const std::string& text) {
    const char* const path = std::getenv(variable); // NOLINT(concurrency-mt-unsafe): no thread yet
    if (path == nullptr || *path == '\0') {
        return false;
    }
    if (!write_text(path, "ae", text)) {
        throw UsageError(
            fmt::format("could not write ${} {}: {}", variable, path, std::strerror(errno)),
            "the runner names that file; unset the variable to print everything"
        );
    }
    return true;
}

void publish_to_github(const report::Report& report, Output& output, const CommonOptions& common) {
    const report::GithubParts parts = report::github_parts(report);
    std::string shown = parts.annotations;
    if (common.output) {
        output.write(parts.summary);
    } else if (!append_to("GITHUB_STEP_SUMMARY", parts.summary)) {
        shown += "\n" + parts.summary;
    }
    if (!append_to("GITHUB_OUTPUT", parts.outputs)) {
        shown += "\n" + parts.outputs;
    }
    CommonOptions terminal = common;
    terminal.output.reset();
    Output(terminal).write(shown);
}

} // namespace

void publish(const report::Report& report, Output& output, const CommonOptions& common) {
    if (report.recipe.format == Format::github) {
        publish_to_github(report, output, common);
    } else {
        output.write(report::render(report));
    }
}

} // namespace kvprof::cli
