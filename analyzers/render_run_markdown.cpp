#include "analyzers/render_run_markdown.h"

#include "analyzers/figures.h"
#include "analyzers/limits.h"
#include "analyzers/markdown_blocks.h"
#include "analyzers/run_report.h"

#include <fmt/format.h>

namespace kvprof::analyzers {

namespace {

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
    text += section_markdown(conditions_section(run)) + markdown_list("notes", run.notes);
    for (const Section& section : figure_sections(run)) {
        text += section_markdown(section);
    }
    text += section_markdown(device_section(run));
    for (const ParamList& list : param_lists(run)) {
        text += markdown_of(list);
    }
    return text + markdown_list("not measured", limits_of({run}));
}

} // namespace kvprof::analyzers
