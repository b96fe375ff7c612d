#include "capture/model/error.h"
#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/publish.h"
#include "cli/report_of.h"
#include "cli/stores.h"
#include "db/bundle.h"
#include "db/selector.h"
#include "db/store.h"

#include <fmt/format.h>

namespace kvprof::cli {

namespace {

/// Selections of one store: a bundle is a part of it.
void write_bundle(const ExportOptions& options) {
    if (!options.common.output) {
        throw UsageError(
            "could not export a bundle to stdout: it is a database file", "name it: -o runs.db"
        );
    }
    const db::Store store(store_path_of(options.common), db::OpenMode::read);
    std::vector<db::Selection> selections;
    for (const std::string& reference : options.references) {
        selections.push_back(db::resolve(store, reference));
    }
    const db::BundleContent content = db::export_bundle(
        store, selections, *options.common.output, {options.has_events, options.has_calibrations}
    );
    if (!options.common.is_quiet) {
        say(fmt::format(
            "exported {} runs of {} experiments ({} of them calibrations) to {}, {} KiB\n",
            content.runs,
            content.experiments,
            content.calibrations,
            options.common.output->string(),
            content.bytes / 1024
        ));
    }
}

} // namespace

ExitCode run(const ExportOptions& options) {
    if (options.is_bundle) {
        write_bundle(options);
        return ExitCode::done;
    }
    Output output(options.common);
    const SubjectOptions subject{
        .references = options.references, .by = {}, .judge = {}, .claims = {}};
    publish(report_of(plan_report(subject, options.common, false)), output, options.common);
    return ExitCode::done;
}

} // namespace kvprof::cli
