#include "tests/consumers/machine_documents.h"

#include "report/gzip.h"
#include "report/render.h"
#include "report/schemas.h"
#include "tests/consumers/written_file.h"
#include "tests/report/sample_reports.h"
#include "tests/support/example_runs.h"

#include <array>
#include <string>
#include <utility>

namespace {

using kvprof::report::CsvTable;
using kvprof::report::Format;
using kvprof::report::Judged;
using kvprof::report::Report;
using kvprof::test::write;

/// Gives the last case's sides the kept events of a run; one record overlaps another.
void add_timelines(Report& report) {
    auto& judged = std::get<Judged>(report.subject);
    const kvprof::Run traced = kvprof::test::traced_run();
    for (const auto& side : {judged.gate.cases.back().base, judged.gate.cases.back().candidate}) {
        kvprof::Run run = side.runs.front();
        run.kernels = traced.kernels;
        run.kernels[0].name += side.runs.front().variant;
        run.events = traced.events;
        run.events[1].start = run.events[0].start;
        judged.timelines.push_back(run);
    }
}

void write_forms(const std::filesystem::path& folder, const std::string& name, Report report) {
    const auto file = [&](const std::string& ending) { return folder / (name + ending); };
    report.recipe.format = Format::json;
    write(file(".json"), kvprof::report::render(report));
    report.recipe.format = Format::jsonl;
    write(file(".jsonl"), kvprof::report::render(report));
    report.recipe.format = Format::csv;
    for (const auto& [table, word] : kvprof::EnumNames<CsvTable>::values) {
        report.recipe.table = table;
        write(file("." + std::string(word) + ".csv"), kvprof::report::render(report));
    }
}

void write_timeline(const std::filesystem::path& folder, const std::string& name, Report report) {
    if (std::holds_alternative<Judged>(report.subject)) {
        add_timelines(report);
    }
    const std::string text = kvprof::report::render(report);
    write(folder / (name + ".perfetto"), text);
    write(folder / (name + ".perfetto.gz"), kvprof::report::gzip(text));
}

/// As `kvprof diff` shows it. @param by the field that pairs the cells; may be empty
Report compared(Report report, const std::string& by = {}) {
    report.recipe.is_gate = false;
    std::get<Judged>(report.subject).by = by;
    return report;
}

} // namespace

void write_machine_documents(const std::filesystem::path& folder) {
    using namespace kvprof::test;
    const std::array<std::pair<std::string, Report>, 8> reports{
        {{"gate", gate_report(Format::json)},
         {"lone", lone_gate_report(Format::json)},
         {"hostile", hostile_report(Format::json)},
         {"comparison", compared(lone_gate_report(Format::json))},
         {"comparisons", compared(hostile_report(Format::json))},
         {"pairs", compared(hostile_report(Format::json), "delay-us")},
         {"experiment", experiment_report(Format::json)},
         {"run", run_report(Format::json)}}};
    for (const auto& [name, report] : reports) {
        write_forms(folder, name, report);
    }
    write_timeline(folder, "lone", lone_gate_report(Format::perfetto));
    write_timeline(folder, "hostile", hostile_report(Format::perfetto));
    write_timeline(folder, "run", run_report(Format::perfetto));
    std::filesystem::create_directories(folder / "schemas");
    for (const std::string& name : kvprof::report::schema_names()) {
        write(folder / "schemas" / (name + ".json"), kvprof::report::schema_text(name));
    }
}
