#include "analyzers/figures.h"
#include "analyzers/imported_runs.h"
#include "analyzers/limits.h"
#include "analyzers/profile_sections.h"
#include "analyzers/run_report.h"
#include "report/document.h"

#include <fmt/format.h>

namespace kvprof::report {

namespace {

analyzers::Section section_of(const analyzers::ParamList& list) {
    analyzers::Section section{list.title, analyzers::Table({{"name"}, {"value"}}), {}};
    for (const Param& param : list.params) {
        section.table->add({param.name, param.value});
    }
    return section;
}

/// An imported run has no options of a step, no check and no passes to speak of.
Document imported_document(const Run& run) {
    Document document;
    document.title = "imported profile";
    document.lead = {
        fmt::format("run {}: {}", run.uuid, analyzers::status_line(run)),
        analyzers::describe_profile(run)};
    Part figures{"", Weight::body, {{"notes", std::nullopt, run.notes}}};
    for (analyzers::Section& section : analyzers::profile_sections(run)) {
        figures.sections.push_back(std::move(section));
    }
    document.parts.push_back(std::move(figures));
    document.not_measured = analyzers::limits_of({run});
    return document;
}

} // namespace

Document document_of(const Run& run) {
    if (analyzers::is_imported(run)) {
        return imported_document(run);
    }
    Document document;
    document.title = analyzers::variant_name(run.variant);
    document.lead = {
        fmt::format("run {}: {}", run.uuid, analyzers::status_line(run)),
        "check: " + analyzers::check_cell(run)};
    Part figures{
        "", Weight::body, {analyzers::conditions_section(run), {"notes", std::nullopt, run.notes}}};
    for (analyzers::Section& section : analyzers::figure_sections(run)) {
        figures.sections.push_back(std::move(section));
    }
    figures.sections.push_back(analyzers::device_section(run));
    document.parts.push_back(std::move(figures));
    Part conditions{"environment and options", Weight::detail, {}};
    for (const analyzers::ParamList& list : analyzers::param_lists(run)) {
        conditions.sections.push_back(section_of(list));
    }
    document.parts.push_back(std::move(conditions));
    document.not_measured = analyzers::limits_of({run});
    return document;
}

} // namespace kvprof::report
