#pragma once

#include "analyzers/cases.h"
#include "analyzers/json_comparison.h"
#include "analyzers/json_gate.h"
#include "analyzers/json_run.h"
#include "analyzers/json_values.h"
#include "analyzers/trace_json.h"

#include <string>
#include <vector>

namespace kvprof::analyzers {

// The objects of analyzers/json_*.h as whole documents: what a report says besides itself.

[[nodiscard]] inline std::string run_json(const Run& run) {
    return document(with_schema("kvprof.run/1", run_object(run)));
}

[[nodiscard]] inline std::string experiment_json(const Experiment& experiment) {
    return document(with_schema("kvprof.experiment/1", experiment_object(experiment)));
}

[[nodiscard]] inline std::string comparison_json(const Comparison& comparison) {
    return document(with_schema("kvprof.comparison/1", comparison_object(comparison)));
}

[[nodiscard]] inline std::string cases_json(const std::vector<Comparison>& cases) {
    return document(with_schema("kvprof.comparisons/1", cases_object(cases)));
}

[[nodiscard]] inline std::string pairs_json(const PairedComparison& comparison) {
    return document(with_schema(
        "kvprof.pairs/1", pairs_object(comparison.field, named(comparison), comparison.unpaired)
    ));
}

[[nodiscard]] inline std::string gate_json(const GateResult& result) {
    return document(with_schema("kvprof.gate/1", gate_object(result)));
}

/// The timeline of one run.
[[nodiscard]] inline std::string perfetto_json(const Run& run) {
    return trace_json({{run.environment.device_name + ", traced", &run}}, timeline_object(run));
}

} // namespace kvprof::analyzers
