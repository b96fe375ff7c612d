#include "analyzers/missing_timeline.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvprof::analyzers {

namespace {

const PassResult* nodes_pass(const Run& run) {
    const auto nodes = std::find_if(run.passes.begin(), run.passes.end(), [](const auto& pass) {
        return pass.pass == Pass::nodes;
    });
    return nodes == run.passes.end() ? nullptr : &*nodes;
}

} // namespace

std::optional<Missing> missing_nodes(const Run& run) {
    const PassResult* const nodes = nodes_pass(run);
    if (nodes == nullptr && run.status.state != RunState::complete) {
        return Missing{
            fmt::format("it is {}: {}", to_string(run.status.state), run.status.reason), ""};
    }
    if (nodes == nullptr) {
        return Missing{
            fmt::format("its nodes pass was not run (--passes {})", run.measure.passes),
            "kvprof run --passes timing+nodes"};
    }
    if (!nodes->failure.empty()) {
        return Missing{fmt::format("its nodes pass failed: {}", nodes->failure), ""};
    }
    return std::nullopt;
}

Missing missing_timeline(const Run& run) {
    if (run.profile) {
        return {
            "its profile was imported without the records of steps, or has no steps",
            "kvprof import --keep-events 4 FILE... keeps those of the first 4 steps"};
    }
    if (std::optional<Missing> missing = missing_nodes(run)) {
        return *std::move(missing);
    }
    const PassResult* const nodes = nodes_pass(run);
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
