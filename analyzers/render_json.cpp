#include "analyzers/render_json.h"

#include "analyzers/cases.h"
#include "analyzers/json_comparison.h"
#include "analyzers/json_values.h"

namespace kvprof::analyzers {

std::string comparison_json(const Comparison& comparison) {
    return document(with_schema("kvprof.comparison/1", comparison_object(comparison)));
}

std::string cases_json(const std::vector<Comparison>& cases) {
    return document(
        {{"schema", "kvprof.comparisons/1"},
         {"verdict", to_string(verdict_of(cases))},
         {"exit_code", static_cast<int>(exit_code_of(cases))},
         {"cases", case_list(cases)}}
    );
}

std::string pairs_json(const PairedComparison& comparison) {
    Json json{
        {"schema", "kvprof.pairs/1"},
        {"field", comparison.field},
        {"exit_code", static_cast<int>(exit_code_of(comparison))},
        {"pairs", Json::array()},
        {"unpaired", Json::array()}};
    for (const PairedComparison::Cell& cell : comparison.cells) {
        json["pairs"].push_back(
            {{"cell", cell.cell}, {"comparison", comparison_object(cell.comparison)}}
        );
    }
    for (const Unpaired& variant : comparison.unpaired) {
        json["unpaired"].push_back({{"variant", variant.variant}, {"reason", variant.reason}});
    }
    return document(json);
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
