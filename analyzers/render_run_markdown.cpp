#include "analyzers/render_run_markdown.h"

#include "analyzers/figures.h"
#include "analyzers/limits.h"
#include "analyzers/markdown_blocks.h"
#include "analyzers/run_report.h"

#include <fmt/format.h>

namespace kvprof::analyzers {

namespace {

std::string markdown_of(const Section& section) {
    if (!section.table && section.lines.empty()) {
        return {};
    }
    std::string text = markdown_title(section.title);
    text += section.table ? "\n" + section.table->markdown() : std::string();
    return text + markdown_items(section.lines);
}

std::string markdown_of(const ParamList& list) {
    Table table({{"name"}, {"value"}});
    for (const Param& param : list.params) {
        table.add({param.name, param.value});
    }
    return markdown_title(list.title) + "\n" + table.markdown();
}

} // namespace

std::string run_markdown(const Run& run) {
    std::string text = fmt::format(
        "### {}\n\nrun `{}`: {}; check: {}\n",
        variant_name(run.variant),
        run.uuid,
        status_line(run),
        check_cell(run)
    );
    text += markdown_of(conditions_section(run)) + markdown_list("notes", run.notes);
    for (const Section& section : figure_sections(run)) {
        text += markdown_of(section);
    }
    text += markdown_of(device_section(run));
    for (const ParamList& list : param_lists(run)) {
        text += markdown_of(list);
    }
    return text + markdown_list("not measured", limits_of({run}));
}

} // namespace kvprof::analyzers
