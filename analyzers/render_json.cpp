#include "analyzers/render_json.h"

#include "analyzers/json_values.h"

namespace kvprof::analyzers {

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
