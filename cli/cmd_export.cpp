#include "analyzers/render_perfetto.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/stores.h"
#include "db/selector.h"
#include "db/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace kvprof::cli {

namespace {

std::string render(const Run& run, ExportFormat format) {
    switch (format) {
    case ExportFormat::perfetto: return analyzers::perfetto_json(run);
    }
    return {};
}

UsageError not_exported(const std::string& reference, std::string_view why, std::string hint) {
    return UsageError(fmt::format("could not export \"{}\": {}", reference, why), std::move(hint));
}

/// Says why the run has no timeline, or the first of several that have none.
UsageError no_timeline(const db::Store& store, const db::Selection& selection) {
    if (selection.runs.empty()) {
        return not_exported(
            selection.reference, "its experiment has no run", "kvprof run --passes timing+nodes"
        );
    }
    const Run first = store.load_runs({selection.runs.front()}).front();
    const analyzers::MissingTimeline missing = analyzers::missing_timeline(first);
    if (selection.runs.size() == 1) {
        return not_exported(selection.reference, missing.cause, missing.hint);
    }
    return not_exported(
        selection.reference,
        fmt::format(
            "none of its {} runs has a timeline; the first ({}): {}",
            selection.runs.size(),
            first.variant,
            missing.cause
        ),
        missing.hint
    );
}

UsageError several(const db::Selection& selection, const std::vector<db::RunSummary>& runs) {
    std::string list;
    for (const db::RunSummary& run : runs) {
        list += fmt::format(
            "\n  {}  {}{}repeat {}",
            run.uuid.substr(0, 8),
            run.variant,
            run.variant.empty() ? "" : ", ",
            run.repeat
        );
    }
    return not_exported(
        selection.reference,
        fmt::format(
            "{} of its runs have a timeline, and one is written at a time:{}", runs.size(), list
        ),
        "name one by its id, or by its fields as in REF/batch=8"
    );
}

/// The selected runs that have events; a baseline's are of several experiments.
std::vector<db::RunSummary>
with_events(const db::Store& store, const std::vector<std::string>& chosen) {
    std::set<std::string> experiments;
    for (const std::string& run : chosen) {
        experiments.insert(store.experiment_of(run));
    }
    std::vector<db::RunSummary> runs;
    for (const std::string& experiment : experiments) {
        for (db::RunSummary& run : store.list_runs(experiment)) {
            const bool is_chosen =
                std::find(chosen.begin(), chosen.end(), run.uuid) != chosen.end();
            if (run.has_events && is_chosen) {
                runs.push_back(std::move(run));
            }
        }
    }
    return runs;
}

/// The one selected run that has events, with them.
Run load(const db::Selection& selection) {
    const db::Store store(selection.store, db::OpenMode::read);
    const std::vector<db::RunSummary> runs = with_events(store, selection.runs);
    if (runs.empty()) {
        throw no_timeline(store, selection);
    }
    if (runs.size() > 1) {
        throw several(selection, runs);
    }
    Run run = store.load_runs({runs.front().uuid}).front();
    run.events = store.load_events(run.uuid);
    return run;
}

} // namespace

ExitCode run(const ExportOptions& options) {
    Output output(options.common);
    const Run run = load(db::select(store_path_of(options.common), options.reference));
    output.write(render(run, options.format));
    return ExitCode::done;
}

} // namespace kvprof::cli
