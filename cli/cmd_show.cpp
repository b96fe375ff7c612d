#include "cli/commands.h"
#include "cli/output.h"
#include "cli/publish.h"
#include "cli/report_of.h"
#include "cli/report_sides.h"
#include "report/renderers.h"

#include <fmt/format.h>

#include <limits>

namespace kvprof::cli {

namespace {

/// One list of every run, and nothing else.
report::Document list_document(const LoadedSide& side, analyzers::RunList list) {
    report::Document document;
    document.title = side.label;
    const bool is_alone = side.experiment.runs.size() == 1;
    for (const Run& run : side.experiment.runs) {
        analyzers::Section section = analyzers::list_of(run, list);
        section.title =
            is_alone ? section.title : fmt::format("{} of run {}", section.title, run.uuid);
        document.parts.push_back({"", report::Weight::body, {std::move(section)}});
    }
    return document;
}

std::string shown(const LoadedSide& side, analyzers::RunList list, Format format) {
    if (format == Format::json) {
        return analyzers::lists_json(side.experiment.runs, list);
    }
    const report::Document document = list_document(side, list);
    return format == Format::markdown
               ? report::markdown(document, std::numeric_limits<std::size_t>::max())
               : report::text(document);
}

} // namespace

ExitCode run(const ShowOptions& options) {
    Output output(options.common);
    const SubjectOptions subject{
        .references = {options.reference}, .by = {}, .judge = {}, .claims = {}};
    ReportPlan plan = plan_report(subject, options.common, true);
    if (!options.list) {
        publish(report_of(std::move(plan)), output, options.common);
        return ExitCode::done;
    }
    const LoadedSide side = load_side(plan.recipe.sides.front(), plan.stores.front());
    output.write(shown(side, *options.list, options.common.format));
    return ExitCode::done;
}

} // namespace kvprof::cli
