#include "report/series.h"

#include "analyzers/spec_diff.h"
#include "report/clean_text.h"
#include "report/judged.h"
#include "report/unique_names.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace kvprof::report {

namespace {

/// "decode/batch=8/side=base": of a step, or of the op that was measured alone.
std::string name_of(const Series& series) {
    const std::string& op = series.runs.front()->measure.op;
    std::string name = op.empty() ? "decode" : one_word(op, '_');
    for (const std::string& part :
         {one_word(series.cell, '/'), series.side.empty() ? "" : "side=" + series.side}) {
        name += part.empty() ? "" : "/" + part;
    }
    return name;
}

/// What runs have to share to be of one series: all fields but those of how a step was watched.
std::string specification_of(const Run& run) {
    std::string text;
    for (const Param& param : analyzers::params_of(run)) {
        if (!analyzers::is_about_watching(param.name)) {
            text += param.name + "=" + param.value + "\n";
        }
    }
    return text;
}

void add_side(
    std::vector<Series>& list,
    const std::string& cell,
    const char* side,
    const std::vector<Run>& runs
) {
    if (runs.empty()) {
        return;
    }
    Series series{
        .name = {}, .cell = cell, .side = side, .variant = runs.front().variant, .runs = {}};
    for (const Run& run : runs) {
        series.runs.push_back(&run);
    }
    list.push_back(std::move(series));
}

std::vector<Series> listed(const Run& run) {
    if (run.status.state != RunState::complete) {
        return {};
    }
    return {
        {.name = {},
         .cell = valid_utf8(run.variant),
         .side = {},
         .variant = run.variant,
         .runs = {&run}}};
}

std::vector<Series> listed(const Experiment& experiment) {
    std::vector<Series> list;
    std::vector<std::string> specifications;
    for (const Run& run : experiment.runs) {
        if (run.status.state != RunState::complete) {
            continue;
        }
        std::string specification = specification_of(run);
        const auto known = std::find(specifications.begin(), specifications.end(), specification);
        if (known != specifications.end()) {
            list[static_cast<std::size_t>(known - specifications.begin())].runs.push_back(&run);
            continue;
        }
        specifications.push_back(std::move(specification));
        list.push_back(listed(run).front());
    }
    std::vector<std::string> cells;
    for (const Series& series : list) {
        cells.push_back(series.cell);
    }
    cells = unique_names(std::move(cells));
    for (std::size_t i = 0; i < list.size(); ++i) {
        list[i].cell = std::move(cells[i]);
    }
    return list;
}

std::vector<Series> listed(const Judged& judged) {
    std::vector<Series> list;
    const std::vector<std::string> cells = case_names(judged);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        add_side(list, cells[i], "base", judged.gate.cases[i].base.runs);
        add_side(list, cells[i], "candidate", judged.gate.cases[i].candidate.runs);
    }
    return list;
}

} // namespace

std::vector<Series> series_of(const Report& report) {
    std::vector<Series> list =
        std::visit([](const auto& subject) { return listed(subject); }, report.subject);
    std::vector<std::string> names;
    for (const Series& series : list) {
        names.push_back(name_of(series));
    }
    names = unique_names(std::move(names));
    for (std::size_t i = 0; i < list.size(); ++i) {
        list[i].name = std::move(names[i]);
    }
    return list;
}

} // namespace kvprof::report
