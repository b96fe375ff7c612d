#include "tests/report/shown_documents.h"

#include "report/document_parts.h"
#include "tests/analyzers/ab_runs.h"
#include "tests/analyzers/shown_examples.h"

#include <utility>

namespace kvprof::test {

report::Judged judged_of(std::vector<analyzers::Comparison> cases) {
    report::Judged judged;
    judged.gate.cases = std::move(cases);
    return judged;
}

report::Document shown(std::vector<analyzers::Comparison> cases) {
    return report::document_of(judged_of(std::move(cases)), {});
}

report::Document shown(const analyzers::Comparison& comparison) {
    return shown(std::vector{comparison});
}

report::Document shown(const analyzers::PairedComparison& pairs) {
    report::Judged judged;
    judged.by = pairs.field;
    judged.unpaired = pairs.unpaired;
    for (const analyzers::PairedComparison::Cell& cell : pairs.cells) {
        judged.gate.cases.push_back(cell.comparison);
        judged.gate.cases.back().cell = cell.cell;
    }
    return report::document_of(judged, {});
}

report::Document shown(const analyzers::GateResult& gate) {
    report::Judged judged;
    judged.gate = gate;
    report::Recipe recipe;
    recipe.is_gate = true;
    return report::document_of(judged, recipe);
}

report::Report regression_report() {
    const Experiment experiment = ab_experiment(v16_base(), v16_candidate());
    report::Judged judged = judged_of({regression()});
    report::ExperimentHead head;
    head.uuid = experiment.uuid;
    head.started_at = "2026-01-02T03:04:00Z";
    head.command_line = "kvprof run --ab '' '--delay-op token-stream --delay-us 180' --runs 8";
    head.kind = experiment.kind;
    head.ab = experiment.ab;
    judged.experiments = {head};
    report::Report report{{}, {"0.1.0"}, std::move(judged), {}};
    report.recipe.sides = {{"pr", experiment.uuid, {}}};
    report.recipe.day = "2026-01-03";
    return report;
}

} // namespace kvprof::test
