#include "analyzers/change_words.h"
#include "report/document.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvprof::report {

namespace {

using analyzers::Align;
using analyzers::SelftestRow;

/// "12 (6.0 %)" of several gates; "1" of a single one.
std::string count_cell(std::size_t count, std::size_t gates) {
    if (gates < 2 || count == 0) {
        return fmt::format("{}", count);
    }
    const double share = static_cast<double>(count) / static_cast<double>(gates);
    return fmt::format("{} ({:.1f} %)", count, share * 100.0);
}

analyzers::Table table_of(const std::vector<SelftestRow>& rows) {
    analyzers::Table table(
        {{"what was gated", Align::left, analyzers::Fit::elided},
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
             analyzers::effect_words(row.threshold, true, analyzers::Unit::ratio),
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

Document document_of(const std::vector<SelftestRow>& rows, const std::string& design) {
    const auto kept =
        std::count_if(rows.begin(), rows.end(), [](const SelftestRow& row) { return row.holds; });
    Document document;
    document.title = fmt::format(
        "selftest {}: {} of {} promises",
        analyzers::holds(rows) ? "holds" : "does not hold",
        kept,
        rows.size()
    );
    document.lead = {design};
    document.parts.push_back({"", Weight::body, {{"", table_of(rows), {}}}});
    return document;
}

} // namespace kvprof::report
