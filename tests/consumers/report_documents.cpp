// Writes FOLDER/SUBJECT.FORMAT for every form that other programs read, of reports whose figures
// and names are made up. Usage: report_documents FOLDER

#include "report/render.h"
#include "tests/consumers/machine_documents.h"
#include "tests/consumers/markdown_documents.h"
#include "tests/report/sample_reports.h"

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

void write_all(const std::filesystem::path& folder) {
    using Make = Report (*)(Format);
    const std::array<std::pair<const char*, Make>, 3> judged{
        {{"gate", kvprof::test::gate_report},
         {"lone", kvprof::test::lone_gate_report},
         {"hostile", kvprof::test::hostile_report}}};
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
