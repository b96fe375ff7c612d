#include "analyzers/cases.h"
#include "analyzers/json_comparison.h"
#include "analyzers/json_gate.h"
#include "analyzers/json_run.h"
#include "analyzers/json_timeline.h"
#include "report/renderers.h"
#include "report/report_object.h"

#include <utility>

namespace kvprof::report {

namespace {

using analyzers::Json;

/// The name of a schema, and a document by it.
using Named = std::pair<const char*, Json>;

Named named_document(const Run& run) {
    return {"kvprof.run/1", analyzers::run_object(run)};
}

Named named_document(const Experiment& experiment) {
    return {"kvprof.experiment/1", analyzers::experiment_object(experiment)};
}

Named named_document(const Judged& judged, bool is_gate) {
    const std::vector<analyzers::Comparison>& cases = judged.gate.cases;
    if (is_gate) {
        return {"kvprof.gate/1", analyzers::gate_object(judged.gate)};
    }
    if (!judged.by.empty()) {
        return {
            "kvprof.pairs/1",
            analyzers::pairs_object(judged.by, analyzers::named(cases), judged.unpaired)};
    }
    if (cases.size() == 1) {
        return {"kvprof.comparison/1", analyzers::comparison_object(cases.front())};
    }
    return {"kvprof.comparisons/1", analyzers::cases_object(cases)};
}

Named named_document(const Report& report) {
    if (const auto* run = std::get_if<Run>(&report.subject)) {
        return named_document(*run);
    }
    if (const auto* experiment = std::get_if<Experiment>(&report.subject)) {
        return named_document(*experiment);
    }
    return named_document(std::get<Judged>(report.subject), report.recipe.is_gate);
}

} // namespace

std::string json_document(const Report& report) {
    auto [schema, content] = named_document(report);
    Json json{{"schema", schema}, {"report", report_object(report)}};
    if (!report.drawn_steps.empty()) {
        json["timeline"] = analyzers::timelines_object(report.drawn_steps);
    }
    for (auto& [key, value] : content.items()) {
        json[key] = std::move(value); // an experiment with its traces is large
    }
    return analyzers::document(json);
}

} // namespace kvprof::report
