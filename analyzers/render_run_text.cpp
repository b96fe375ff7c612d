#include "analyzers/figures.h"
#include "analyzers/limits.h"
#include "analyzers/render_text.h"
#include "analyzers/run_report.h"
#include "analyzers/text_blocks.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvprof::analyzers {

namespace {

std::string text_of(const ParamList& list) {
    std::size_t widest = 0;
    for (const Param& param : list.params) {
        widest = std::max(widest, param.name.size());
    }
    std::vector<std::string> lines;
    for (const Param& param : list.params) {
        lines.push_back(fmt::format("{:<{}}  {}", param.name, widest, param.value));
    }
    return text_block(list.title, lines);
}

} // namespace

std::string run_text(const Run& run) {
    std::string text = fmt::format(
        "run {}  {}\n{}\ncheck: {}\n",
        run.uuid,
        variant_name(run.variant),
        status_line(run),
        check_cell(run)
    );
    text += section_text(conditions_section(run)) + text_block("notes", run.notes);
    for (const Section& section : figure_sections(run)) {
        text += section_text(section);
    }
    text += section_text(device_section(run));
    for (const ParamList& list : param_lists(run)) {
        text += text_of(list);
    }
    return text + text_block("not measured", limits_of({run}));
}

} // namespace kvprof::analyzers
