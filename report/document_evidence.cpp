#include "analyzers/change_words.h"
#include "analyzers/comparison_sections.h"
#include "analyzers/figures.h"
#include "analyzers/roofline_sections.h"
#include "analyzers/side_words.h"
#include "report/document_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace kvprof::report {

namespace {

using analyzers::Comparison;
using analyzers::NamedCase;
using analyzers::Section;

/// Lines that several cases share, each once, with the cases that have it where not all do.
class SharedLines {
  public:
    explicit SharedLines(std::size_t cases)
        : cases_(cases) {}

    void add(const std::string& name, const std::vector<std::string>& lines) {
        for (const std::string& line : lines) {
            auto found = std::find_if(groups_.begin(), groups_.end(), [&](const auto& group) {
                return group.first == line;
            });
            if (found == groups_.end()) {
                found = groups_.insert(groups_.end(), {line, {}});
            }
            if (found->second.empty() || found->second.back() != name) {
                found->second.push_back(name);
            }
        }
    }

    [[nodiscard]] Section section(std::string title) const {
        Section section{std::move(title), std::nullopt, {}};
        for (const auto& [line, names] : groups_) {
            section.lines.push_back(
                names.size() == cases_ ? line : fmt::format("{}: {}", fmt::join(names, ", "), line)
            );
        }
        return section;
    }

  private:
    std::size_t cases_;
    std::vector<std::pair<std::string, std::vector<std::string>>> groups_;
};

/// What moved, under its title; the controls alone where nothing was traced on both sides.
Section kernels_of(const Comparison& comparison, const Judged& judged) {
    Section kernels = analyzers::kernel_deltas_section(comparison, judged.gate.policy);
    if (std::string line = analyzers::controls_line(comparison); !line.empty()) {
        kernels.title = kernels.title.empty() ? "controls" : kernels.title;
        kernels.lines.push_back(std::move(line));
    }
    return kernels;
}

Section measured_on(const Comparison& comparison) {
    return {"measured on", std::nullopt, analyzers::environments_of(comparison)};
}

Section roofline_of(const Comparison& comparison) {
    return analyzers::roofline_delta_section(comparison.base.runs, comparison.candidate.runs);
}

/// A detail of one section, whose title is what opens it.
Part detail_of(Section section) {
    std::string title = std::exchange(section.title, {});
    return {std::move(title), Weight::detail, {std::move(section)}};
}

} // namespace

Part remarks_part(const std::vector<NamedCase>& cases) {
    SharedLines undecided(cases.size());
    SharedLines stamps(cases.size());
    SharedLines concerns(cases.size());
    SharedLines notes(cases.size());
    for (const auto& [name, comparison] : cases) {
        undecided.add(name, analyzers::undecided_section(*comparison).lines);
        stamps.add(name, comparison->stamps);
        concerns.add(name, analyzers::concern_lines(comparison->concerns));
        notes.add(name, analyzers::row_remarks(*comparison));
        notes.add(name, comparison->notes);
    }
    return {
        "",
        Weight::body,
        {undecided.section("undecided, and what would decide"),
         stamps.section("stamps"),
         concerns.section("concerns"),
         notes.section("notes")}};
}

void add_evidence(Document& document, const Comparison& comparison, const Judged& judged) {
    document.parts.push_back(
        {"other rows",
         Weight::detail,
         {analyzers::judged_section(comparison), analyzers::explaining_section(comparison)}}
    );
    document.parts.push_back(detail_of(kernels_of(comparison, judged)));
    document.parts.push_back(detail_of(analyzers::ledger_delta_section(comparison)));
    document.parts.push_back(detail_of(roofline_of(comparison)));
    Part method{
        "samples, method, environment",
        Weight::detail,
        {analyzers::values_section(comparison),
         analyzers::method_section(comparison),
         measured_on(comparison)}};
    for (Section& section : origin_sections(judged)) {
        method.sections.push_back(std::move(section));
    }
    document.parts.push_back(std::move(method));
}

Part case_part(const NamedCase& named, const Judged& judged, const std::string& title) {
    const Comparison& comparison = *named.comparison;
    const std::string_view verdict = to_string(comparison.verdict);
    const std::vector<std::string> reasons = analyzers::verdict_reasons(comparison);
    Section head{
        "",
        std::nullopt,
        {analyzers::describe_sides(comparison)
             + "; rows: " + analyzers::describe_counts(comparison),
         fmt::format("{}{}{}", verdict, reasons.empty() ? "" : ": ", fmt::join(reasons, "; "))}};
    if (std::string changes = analyzers::describe_changes(comparison); changes != title) {
        head.lines.insert(head.lines.begin(), std::move(changes));
    }
    Section ledger = analyzers::ledger_delta_section(comparison);
    if (std::string line = analyzers::ledger_line(comparison); !line.empty()) {
        ledger.lines.insert(ledger.lines.begin(), std::move(line));
    }
    return {
        named.name.empty() ? std::string(verdict) : fmt::format("{}: {}", named.name, verdict),
        Weight::detail,
        {std::move(head),
         analyzers::primary_section(comparison),
         analyzers::judged_section(comparison),
         analyzers::explaining_section(comparison),
         kernels_of(comparison, judged),
         std::move(ledger),
         roofline_of(comparison),
         analyzers::values_section(comparison),
         analyzers::method_section(comparison),
         measured_on(comparison)}};
}

Section origin_section(const std::vector<ExperimentHead>& experiments) {
    using analyzers::Align;
    using analyzers::Cell;
    Section section{
        "measured by",
        analyzers::Table(
            {{"experiment"}, {"started"}, {"command", Align::left, analyzers::Fit::elided}}
        ),
        {}};
    for (const ExperimentHead& head : experiments) {
        section.table->add(
            {Cell::code(analyzers::short_id(head.uuid)),
             head.started_at,
             Cell::code(head.command_line)}
        );
        if (head.ab) {
            section.lines.push_back(fmt::format(
                "{}: {}", analyzers::short_id(head.uuid), analyzers::describe_design(*head.ab)
            ));
        }
    }
    return section;
}

std::vector<Section> origin_sections(const Judged& judged) {
    return {
        origin_section(judged.experiments),
        {"judged by", std::nullopt, {describe_policy(judged.gate.policy, false)}}};
}

} // namespace kvprof::report
