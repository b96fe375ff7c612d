#include "analyzers/render_text.h"

#include "analyzers/cases.h"
#include "analyzers/comparison_sections.h"
#include "analyzers/figures.h"
#include "analyzers/text_blocks.h"

#include <fmt/format.h>

namespace kvprof::analyzers {

namespace {

std::string head_of(const Comparison& comparison) {
    std::string text = fmt::format(
        "{}\n{}\nverdict: {} ({})\n",
        describe_changes(comparison),
        describe_sides(comparison),
        to_string(comparison.verdict),
        describe_counts(comparison)
    );
    for (const std::string& reason : verdict_reasons(comparison)) {
        text += indented(reason);
    }
    return text;
}

std::string tables_of(const Comparison& comparison) {
    std::string text = section_text(primary_section(comparison, Markup::text));
    text += section_text(undecided_section(comparison));
    text += section_text(judged_section(comparison, Markup::text));
    text += section_text(explaining_section(comparison, Markup::text));
    Section kernels = kernel_deltas_section(comparison, Markup::text);
    if (std::string line = controls_line(comparison); !line.empty()) {
        kernels.title = kernels.title.empty() ? "controls" : kernels.title;
        kernels.lines.push_back(std::move(line));
    }
    text += section_text(kernels);
    return text + section_text(ledger_delta_section(comparison));
}

/// The bodies, each under its case.
std::string bodies_of(const std::vector<NamedCase>& cases) {
    std::string text;
    for (const auto& [name, comparison] : cases) {
        text += name.empty() ? "\n" : "\n" + name + "\n";
        text += comparison_body(*comparison);
    }
    return text;
}

} // namespace

std::string comparison_body(const Comparison& comparison) {
    std::string text = head_of(comparison);
    text += text_block("stamps", comparison.stamps);
    text += tables_of(comparison);
    text += section_text(values_section(comparison));
    text += section_text(method_section(comparison, Markup::text));
    text += text_block("remarks", row_remarks(comparison));
    text += text_block("concerns", concern_lines(comparison.concerns));
    return text + text_block("notes", comparison.notes);
}

std::string comparison_text(const Comparison& comparison) {
    return comparison_body(comparison) + text_block("not measured", comparison.not_measured);
}

std::string cases_text(const std::vector<Comparison>& cases) {
    if (cases.empty()) {
        return "no case was compared\n";
    }
    if (cases.size() == 1) {
        return comparison_text(cases.front());
    }
    const std::vector<NamedCase> list = named(cases);
    std::string text = fmt::format(
        "{}\nverdict: {} ({})\n\n",
        describe_treatments(list),
        to_string(verdict_of(cases)),
        describe_cases(cases)
    );
    text += overview_table(list).text("  ") + bodies_of(list);
    return text + text_block("not measured", limits_of(list));
}

std::string pairs_text(const PairedComparison& comparison) {
    const std::vector<NamedCase> list = named(comparison);
    std::string text;
    if (list.empty()) {
        text = fmt::format("no pair of runs differs in {} alone\n", comparison.field);
    } else if (list.size() > 1) {
        text = overview_table(list, comparison.field).text();
    }
    std::string bodies = bodies_of(list);
    if (list.size() == 1) {
        bodies.erase(0, 1); // the answer comes first, without an empty line
    }
    std::vector<std::string> unpaired;
    for (const Unpaired& variant : comparison.unpaired) {
        unpaired.push_back(fmt::format("{}: {}", variant.variant, variant.reason));
    }
    return text + bodies + text_block("not compared", unpaired)
           + text_block("not measured", limits_of(list));
}

} // namespace kvprof::analyzers
