#include "analyzers/cases.h"
#include "analyzers/json_comparison.h"
#include "analyzers/json_gate.h"
#include "analyzers/json_rows.h"
#include "analyzers/json_run.h"
#include "report/renderers.h"
#include "report/report_object.h"

#include <array>
#include <string_view>
#include <utility>

namespace kvprof::report {

namespace {

using analyzers::Comparison;
using analyzers::Json;
using analyzers::Side;

/// Where a line belongs, {"cell", "side"}: of a side both, of a case the first, else neither.
using Place = Json;

/// Writes one object a line.
class Lines {
  public:
    void add(const Json& json) {
        // Names come from the machine: a byte that is no UTF-8 must not end the program.
        text_ += json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    }

    /// The content behind what it is and its place. "kind" is a word of metrics and kernels
    /// already.
    void add(std::string_view record, const Place& place, const Json& content) {
        Json json{{"record", record}};
        json.update(place);
        json.update(content);
        add(json);
    }

    [[nodiscard]] std::string take() { return std::move(text_); }

  private:
    std::string text_;
};

/// What has lines of its own where a run stands by itself.
constexpr std::array kRunLists{std::pair{"metrics", "metric"}, std::pair{"kernels", "kernel"}};

Json run_line(const Run& run) {
    Json json = analyzers::run_object(run);
    for (const auto& [list, record] : kRunLists) {
        json.erase(list);
    }
    return json;
}

/// A run by itself: its facts, its metrics, its kernels.
void add_run(const Run& run, Lines& lines) {
    const Json all = analyzers::run_object(run);
    lines.add("run", Json::object(), run_line(run));
    for (const auto& [list, record] : kRunLists) {
        for (const Json& row : all[list]) {
            lines.add(record, {{"run", run.uuid}}, row);
        }
    }
}

void add_side(const Side& side, const Place& place, Lines& lines) {
    for (const Run& run : side.runs) {
        lines.add("run", place, run_line(run));
    }
    for (const analyzers::ExcludedRun& run : side.excluded) {
        lines.add(
            "excluded",
            place,
            {{"uuid", run.uuid},
             {"variant", run.variant},
             {"state", to_string(run.state)},
             {"reason", run.reason}}
        );
    }
}

/// Heads first: what a reader of a stream needs before the rows.
void add_case(const Comparison& comparison, Lines& lines) {
    Json head = analyzers::comparison_object(comparison);
    for (const char* has_lines : {"cell", "metrics", "kernels", "base", "candidate"}) {
        head.erase(has_lines);
    }
    const Place place{{"cell", comparison.cell}};
    lines.add("case", place, head);
    add_side(comparison.base, {{"cell", comparison.cell}, {"side", "base"}}, lines);
    add_side(comparison.candidate, {{"cell", comparison.cell}, {"side", "candidate"}}, lines);
    for (const analyzers::Delta& row : comparison.deltas) {
        lines.add("metric", place, analyzers::delta_object(row));
    }
    for (const analyzers::KernelDelta& kernel : comparison.kernels) {
        lines.add("kernel", place, analyzers::kernel_object(kernel));
    }
}

void add_judged(const Judged& judged, bool is_gate, Lines& lines) {
    const analyzers::GateResult& gate = judged.gate;
    Json whole{
        {"record", "verdict"},
        {"verdict", to_string(is_gate ? gate.verdict : analyzers::verdict_of(gate.cases))},
        {"exit_code", static_cast<int>(is_gate ? gate.code : analyzers::exit_code_of(gate.cases))},
        {"line", is_gate ? Json(gate.line) : Json(nullptr)}};
    lines.add(whole);
    for (const Comparison& comparison : gate.cases) {
        add_case(comparison, lines);
    }
    for (const analyzers::Unpaired& variant : judged.unpaired) {
        lines.add({{"record", "unpaired"}, {"variant", variant.variant}, {"reason", variant.reason}}
        );
    }
    if (is_gate) {
        for (const analyzers::GatedRow& row : gate.rows) {
            Json line{{"record", "gated"}};
            line.update(analyzers::gated_object(gate, row));
            lines.add(line);
        }
    }
}

} // namespace

std::string json_lines(const Report& report) {
    Lines lines;
    lines.add(
        {{"schema", "kvprof.report-lines/1"},
         {"record", "report"},
         {"report", report_object(report)}}
    );
    if (const auto* run = std::get_if<Run>(&report.subject)) {
        add_run(*run, lines);
    } else if (const auto* experiment = std::get_if<Experiment>(&report.subject)) {
        for (const Run& each : experiment->runs) {
            add_run(each, lines);
        }
    } else {
        add_judged(std::get<Judged>(report.subject), report.recipe.is_gate, lines);
    }
    return lines.take();
}

} // namespace kvprof::report
