#include "analyzers/missing_timeline.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvprof::analyzers {

MissingTimeline missing_timeline(const Run& run) {
    const auto nodes = std::find_if(run.passes.begin(), run.passes.end(), [](const auto& pass) {
        return pass.pass == Pass::nodes;
    });
    if (nodes == run.passes.end()) {
        if (run.status.state != RunState::complete) {
            return {
                fmt::format("it is {}: {}", to_string(run.status.state), run.status.reason), ""};
        }
        return {
            fmt::format("its nodes pass was not run (--passes {})", run.measure.passes),
            "kvprof run --passes timing+nodes"};
    }
    if (!nodes->failure.empty()) {
        return {fmt::format("its nodes pass failed: {}", nodes->failure), ""};
    }
    if (run.measure.keep_events == 0) {
        return {
            "its nodes pass kept no step (--keep-events 0)",
            "kvprof run --passes timing+nodes --keep-events 3"};
    }
    return {
        fmt::format(
            "its nodes pass saw no record of a step that it was to keep ({} records in {} steps)",
            nodes->records,
            nodes->steps
        ),
        "kvprof doctor says what tracing needs"};
}

} // namespace kvprof::analyzers
