#include "analyzers/json_values.h"
#include "analyzers/selftest.h"

namespace kvprof::analyzers {

std::string selftest_json(const std::vector<SelftestRow>& rows, const std::string& design) {
    Json json{
        {"schema", "kvprof.selftest/1"},
        {"holds", holds(rows)},
        {"design", design},
        {"rows", Json::array()}};
    for (const SelftestRow& row : rows) {
        json["rows"].push_back(
            {{"what", row.what},
             {"injected", real(row.injected)},
             {"threshold", real(row.threshold)},
             {"gates", row.gates},
             {"regressed", row.regressed},
             {"improved", row.improved},
             {"same", row.same},
             {"inconclusive", row.inconclusive},
             {"holds", row.holds}}
        );
    }
    return document(json);
}

} // namespace kvprof::analyzers
