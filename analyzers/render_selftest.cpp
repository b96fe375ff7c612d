#include "analyzers/change_words.h"
#include "analyzers/json_values.h"
#include "analyzers/markdown_blocks.h"
#include "analyzers/selftest.h"
#include "analyzers/text_blocks.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvprof::analyzers {

namespace {

/// "holds: 4 of 4 promises".
std::string describe(const std::vector<SelftestRow>& rows) {
    const auto kept =
        std::count_if(rows.begin(), rows.end(), [](const SelftestRow& row) { return row.holds; });
    return fmt::format(
        "{}: {} of {} promises", holds(rows) ? "holds" : "does not hold", kept, rows.size()
    );
}

/// "12 (6.0 %)" of several gates; "1" of a single one.
std::string count_cell(std::size_t count, std::size_t gates) {
    if (gates < 2 || count == 0) {
        return fmt::format("{}", count);
    }
    const double share = static_cast<double>(count) / static_cast<double>(gates);
    return fmt::format("{} ({:.1f} %)", count, share * 100.0);
}

Table table_of(const std::vector<SelftestRow>& rows) {
    Table table(
        {{"what was gated", Align::left, Fit::elided},
         {"true change", Align::right},
         {"limit", Align::right},
         {"gates", Align::right},
         {"regressed", Align::right},
         {"improved", Align::right},
         {"same", Align::right},
         {"inconclusive", Align::right},
         {"holds"}}
    );
    for (const SelftestRow& row : rows) {
        table.add(
            {row.what,
             row.injected == 0.0 ? "none" : fmt::format("{:+.2f} %", row.injected * 100.0),
             effect_words(row.threshold, true, Unit::ratio),
             fmt::format("{}", row.gates),
             count_cell(row.regressed, row.gates),
             count_cell(row.improved, row.gates),
             count_cell(row.same, row.gates),
             count_cell(row.inconclusive, row.gates),
             row.holds ? "yes" : "no"}
        );
    }
    return table;
}

} // namespace

bool holds(const std::vector<SelftestRow>& rows) {
    return !rows.empty() && std::all_of(rows.begin(), rows.end(), [](const SelftestRow& row) {
        return row.holds;
    });
}

std::string selftest_text(const std::vector<SelftestRow>& rows, const std::string& design) {
    return fmt::format("selftest {}\n{}\n", describe(rows), design)
           + section_text({"", table_of(rows), {}});
}

std::string selftest_markdown(const std::vector<SelftestRow>& rows, const std::string& design) {
    return fmt::format("### Selftest\n\n**The gate {}.** {}.\n", describe(rows), design)
           + section_markdown({"", table_of(rows), {}});
}

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
