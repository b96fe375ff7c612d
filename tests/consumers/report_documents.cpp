// Writes FOLDER/SUBJECT.FORMAT for every form that other programs read, of reports whose figures
// and names are made up. Usage: report_documents FOLDER

#include "report/render.h"
#include "tests/consumers/machine_documents.h"
#include "tests/consumers/markdown_documents.h"
#include "tests/report/sample_reports.h"
#include "tests/support/example_runs.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

using kvprof::report::Format;
using kvprof::report::Report;

constexpr std::array kForms{
    Format::openmetrics,
    Format::gbench,
    Format::bmf,
    Format::benchstat,
    Format::github_action_benchmark,
    Format::html};

void write(const std::filesystem::path& file, const std::string& text) {
    std::ofstream out(file, std::ios::binary);
    out << text;
    if (!out.flush()) {
        throw std::runtime_error("could not write " + file.string());
    }
}

/// A step of each side is drawn, and one of their kernels has a name that is no name.
Report with_timelines(Report report) {
    kvprof::Run run = kvprof::test::traced_run();
    run.kernels[1].name = kvprof::test::hostile_name();
    report.drawn_steps = {
        kvprof::analyzers::step_timeline(run, "base: A", 0),
        kvprof::analyzers::step_timeline(run, "candidate: B", 1)};
    return report;
}

Report hostile_report(Format format) {
    return with_timelines(kvprof::test::hostile_report(format));
}

Report lone_report(Format format) {
    return with_timelines(kvprof::test::lone_gate_report(format));
}

void write_all(const std::filesystem::path& folder) {
    using Make = Report (*)(Format);
    const std::array<std::pair<const char*, Make>, 3> judged{
        {{"gate", kvprof::test::gate_report}, {"lone", lone_report}, {"hostile", hostile_report}}};
    const std::array<std::pair<const char*, Make>, 2> listed{
        {{"experiment", kvprof::test::experiment_report}, {"run", kvprof::test::run_report}}};
    const auto name = [&](const char* subject, Format format) {
        return folder / (std::string(subject) + "." + std::string(kvprof::to_string(format)));
    };
    for (const auto& [subject, make] : judged) {
        write(name(subject, Format::junit), kvprof::report::render(make(Format::junit)));
        const auto parts = kvprof::report::github_parts(make(Format::github));
        write(folder / (std::string(subject) + ".annotations"), parts.annotations);
        for (const Format format : kForms) {
            write(name(subject, format), kvprof::report::render(make(format)));
        }
    }
    for (const auto& [subject, make] : listed) {
        for (const Format format : kForms) {
            write(name(subject, format), kvprof::report::render(make(format)));
        }
    }
}

} // namespace

int main(int count, char** arguments) {
    try {
        if (count != 2) {
            throw std::runtime_error("usage: report_documents FOLDER");
        }
        write_all(arguments[1]);
        write_machine_documents(arguments[1]);
        write_markdown_documents(arguments[1]);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "report_documents: " << error.what() << '\n';
        return 1;
    }
}
