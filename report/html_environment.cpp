#include "report/html_environment.h"

#include "capture/model/params.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace kvprof::report {

namespace {

using analyzers::Align;
using analyzers::Cell;

/// One fact of a machine, and what it is on each side: distinct values in order of appearance.
struct Fact {
    std::string name;
    std::vector<std::vector<std::string>> sides;
};

void add_value(std::vector<std::string>& values, const std::string& value) {
    if (std::find(values.begin(), values.end(), value) == values.end()) {
        values.push_back(value);
    }
}

std::vector<Fact> facts_of(const std::vector<std::vector<const Run*>>& sides) {
    std::vector<Fact> facts;
    for (std::size_t side = 0; side < sides.size(); ++side) {
        for (const Run* const run : sides[side]) {
            const std::vector<Param> params = to_params(run->environment);
            if (facts.empty()) {
                for (const Param& param : params) {
                    facts.push_back({param.name, {}});
                }
            }
            for (std::size_t i = 0; i < params.size(); ++i) {
                facts[i].sides.resize(sides.size());
                add_value(facts[i].sides[side], params[i].value);
            }
        }
    }
    return facts;
}

std::vector<const Run*> pointers_to(const std::vector<Run>& runs) {
    std::vector<const Run*> pointers;
    for (const Run& run : runs) {
        pointers.push_back(&run);
    }
    return pointers;
}

std::vector<std::vector<const Run*>> sides_of(const Report& report) {
    if (const auto* const run = std::get_if<Run>(&report.subject)) {
        return {{run}};
    }
    if (const auto* const experiment = std::get_if<Experiment>(&report.subject)) {
        return {pointers_to(experiment->runs)};
    }
    std::vector<std::vector<const Run*>> sides(2);
    for (const analyzers::Comparison& each : std::get<Judged>(report.subject).gate.cases) {
        for (const Run& run : each.base.runs) {
            sides[0].push_back(&run);
        }
        for (const Run& run : each.candidate.runs) {
            sides[1].push_back(&run);
        }
    }
    return sides;
}

std::string words_of(const std::vector<std::string>& values) {
    return fmt::format("{}", fmt::join(values, ", "));
}

} // namespace

void add_environment(Html& html, const Report& report) {
    const std::vector<Fact> facts = facts_of(sides_of(report));
    if (facts.empty()) {
        return;
    }
    const bool is_pair = facts.front().sides.size() == 2;
    std::vector<analyzers::Column> columns{{"fact"}, {is_pair ? "base" : "value"}};
    if (is_pair) {
        columns.insert(columns.end(), {{"candidate"}, {"differs"}});
    }
    analyzers::Table table(std::move(columns));
    for (const Fact& fact : facts) {
        std::vector<Cell> row{fact.name, words_of(fact.sides[0])};
        if (is_pair) {
            row.emplace_back(words_of(fact.sides[1]));
            row.emplace_back(fact.sides[0] == fact.sides[1] ? "" : "differs");
        }
        table.add(std::move(row));
    }
    html.open("details", {{"class", "part"}}).element("summary", "Environment");
    add_table(html, table, "Environment");
    html.close();
}

} // namespace kvprof::report
