#include "analyzers/missing_timeline.h"
#include "analyzers/trace_json.h"
#include "capture/model/error.h"
#include "report/renderers.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvprof::report {

namespace {

using analyzers::Comparison;
using analyzers::Json;
using analyzers::TraceProcess;

bool holds(const analyzers::Side& side, const Run& run) {
    return std::any_of(side.runs.begin(), side.runs.end(), [&](const Run& each) {
        return each.uuid == run.uuid;
    });
}

/// "base: main, batch=8": the side that a run is of.
std::string side_of(const Run& run, const std::vector<Comparison>& cases) {
    for (const Comparison& each : cases) {
        const bool is_base = holds(each.base, run);
        if (is_base || holds(each.candidate, run)) {
            return fmt::format(
                "{}: {}{}{}",
                is_base ? "base" : "candidate",
                (is_base ? each.base : each.candidate).label,
                each.cell.empty() ? "" : ", ",
                each.cell
            );
        }
    }
    throw BadDataError(
        fmt::format("could not draw run {}: it is of no side that was compared", run.uuid)
    );
}

void require_events(const Run& run) {
    if (run.events.empty()) {
        const analyzers::Missing missing = analyzers::missing_timeline(run);
        throw UsageError(
            fmt::format("could not draw the timeline of run {}: {}", run.uuid, missing.cause),
            missing.hint
        );
    }
}

/// The values of "otherData" are texts.
void add_recipe(const Report& report, Json& about) {
    about["kvprof"] = report.tool.version;
    about["report"] = report_id(report.recipe);
    about["recipe"] = recipe_json(report.recipe);
}

std::string trace_of(const Report& report, const Run& run) {
    require_events(run);
    Json about = analyzers::timeline_object(run);
    add_recipe(report, about);
    return analyzers::trace_json({{run.environment.device_name + ", traced", &run}}, about);
}

std::string trace_of(const Report& report, const Judged& judged) {
    if (judged.timelines.empty()) {
        throw UsageError(
            "could not draw a timeline of the comparison: no run of it kept its events",
            "kvprof run --passes timing+nodes --keep-events 3"
        );
    }
    std::vector<TraceProcess> processes;
    Json about = Json::object();
    for (const Run& run : judged.timelines) {
        require_events(run);
        const std::string side = side_of(run, judged.gate.cases);
        processes.push_back({fmt::format("{}; {}, traced", side, run.environment.device_name), &run}
        );
        about[side] = run.uuid;
    }
    about["times"] = analyzers::timeline_object(judged.timelines.front())["times"];
    add_recipe(report, about);
    return analyzers::trace_json(processes, about);
}

} // namespace

std::string perfetto_trace(const Report& report) {
    if (const auto* run = std::get_if<Run>(&report.subject)) {
        return trace_of(report, *run);
    }
    if (const auto* judged = std::get_if<Judged>(&report.subject)) {
        return trace_of(report, *judged);
    }
    throw UsageError(
        "could not draw a timeline of a whole experiment: one shows a run, or two sides",
        "name a run by its id, or by its fields as in REF/batch=8; or compare two"
    );
}

} // namespace kvprof::report
