#include "analyzers/evidence_markdown.h"

#include "analyzers/comparison_sections.h"
#include "analyzers/figures.h"
#include "analyzers/markdown_blocks.h"
#include "analyzers/side_words.h"

#include <iterator>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// Names the cases of lines that several share: "batch=8: ...".
std::vector<std::string> with_case(const std::string& name, std::vector<std::string> lines) {
    for (std::string& line : lines) {
        line = name.empty() ? line : name + ": " + line;
    }
    return lines;
}

void append(std::vector<std::string>& lines, std::vector<std::string> more) {
    lines.insert(
        lines.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end())
    );
}

} // namespace

std::string remarks_markdown(const std::vector<NamedCase>& cases) {
    std::vector<std::string> undecided;
    std::vector<std::string> stamps;
    std::vector<std::string> concerns;
    std::vector<std::string> notes;
    for (const auto& [name, comparison] : cases) {
        append(undecided, with_case(name, undecided_section(*comparison).lines));
        append(stamps, with_case(name, comparison->stamps));
        append(concerns, with_case(name, concern_lines(comparison->concerns)));
        append(notes, with_case(name, row_remarks(*comparison)));
        append(notes, with_case(name, comparison->notes));
    }
    return markdown_list("Undecided, and what would decide", undecided)
           + markdown_list("Stamps", stamps) + markdown_list("Concerns", concerns)
           + markdown_list("Notes", notes);
}

std::string evidence_markdown(const Comparison& comparison, const std::string& summary) {
    Section kernels = kernel_deltas_section(comparison, Markup::markdown);
    if (std::string line = controls_line(comparison); !line.empty()) {
        kernels.lines.push_back(std::move(line));
    }
    const std::string kernel_title =
        kernels.title.empty() ? "Controls" : capitalised(kernels.title);
    const Section judged = judged_section(comparison, Markup::markdown);
    const Section explaining = explaining_section(comparison, Markup::markdown);
    const Section ledger = ledger_delta_section(comparison);
    const Section values = values_section(comparison);
    const Section method = method_section(comparison, Markup::markdown);
    const Section where{"measured on", std::nullopt, environments_of(comparison)};
    if (!summary.empty()) { // one of several cases: all of it under its name
        return details_markdown(
            summary, {judged, explaining, kernels, ledger, values, method, where}
        );
    }
    kernels.title.clear(); // the summary says it
    return details_markdown("Other rows", {judged, explaining})
           + details_markdown(kernel_title, {kernels})
           + details_markdown("Ledger of the step", {ledger})
           + details_markdown("Samples, method, environment", {values, method, where});
}

} // namespace kvprof::analyzers
