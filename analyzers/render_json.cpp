#include "analyzers/render_json.h"

#include "analyzers/cases.h"
#include "analyzers/json_comparison.h"
#include "analyzers/json_gate.h"
#include "analyzers/json_run.h"
#include "analyzers/json_values.h"
#include "analyzers/render_gate.h"

namespace kvprof::analyzers {

std::string run_json(const Run& run) {
    return document(with_schema("kvprof.run/1", run_object(run)));
}

std::string experiment_json(const Experiment& experiment) {
    return document(with_schema("kvprof.experiment/1", experiment_object(experiment)));
}

std::string comparison_json(const Comparison& comparison) {
    return document(with_schema("kvprof.comparison/1", comparison_object(comparison)));
}

std::string cases_json(const std::vector<Comparison>& cases) {
    return document(with_schema("kvprof.comparisons/1", cases_object(cases)));
}

std::string pairs_json(const PairedComparison& comparison) {
    return document(with_schema(
        "kvprof.pairs/1", pairs_object(comparison.field, named(comparison), comparison.unpaired)
    ));
}

std::string gate_json(const GateResult& result) {
    return document(with_schema("kvprof.gate/1", gate_object(result)));
}

std::string listing_json(const std::vector<ListingRow>& rows) {
    Json json{{"schema", "kvprof.listing/1"}, {"experiments", Json::array()}};
    for (const ListingRow& row : rows) {
        json["experiments"].push_back(
            {{"uuid", row.uuid},
             {"started_at", row.started_at},
             {"kind", to_string(row.kind)},
             {"state", to_string(row.state)},
             {"runs", row.runs},
             {"complete_runs", row.complete_runs},
             {"void_runs", row.void_runs},
             {"variants", row.variants},
             {"label", row.label},
             {"tags", row.tags},
             {"command_line", row.command_line}}
        );
    }
    return document(json);
}

} // namespace kvprof::analyzers
