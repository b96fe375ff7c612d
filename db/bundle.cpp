#include "db/bundle.h"

#include "capture/model/error.h"
#include "db/bundle_file.h"
#include "db/connection.h"
#include "db/store_copy.h"
#include "db/store_rows.h"
#include "db/stored_name.h"
#include "db/variant_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <system_error>

namespace kvprof::db {

namespace {

/// What goes into the bundle, by uuid.
struct Choice {
    /// With the chosen runs of each; of a calibration that came by itself all of them.
    std::map<std::string, std::set<std::string>> runs;
    std::set<std::string> calibrations; ///< of these experiments, those that were not selected
    std::vector<Baseline> baselines;
};

void add_selected(const Store& from, const std::vector<Selection>& selections, Choice& choice) {
    for (const Selection& selection : selections) {
        if (!selection.experiment.empty()) {
            choice.runs[selection.experiment]; // one without runs comes too
        }
        for (const std::string& run : selection.runs) {
            choice.runs[from.experiment_of(run)].insert(run);
        }
    }
}

void add_calibrations(const Store& from, Choice& choice) {
    for (const ExperimentSummary& stored : from.list_experiments(ExperimentKind::calibration)) {
        if (!choice.runs.contains(stored.uuid)) {
            choice.calibrations.insert(stored.uuid);
        }
        for (const RunSummary& run : from.list_runs(stored.uuid)) {
            choice.runs[stored.uuid].insert(run.uuid);
        }
    }
}

/// Names of the baselines that the selections name.
std::set<std::string> selected_baselines(const std::vector<Selection>& selections) {
    std::set<std::string> names;
    for (const Selection& selection : selections) {
        const std::string base = split_reference(selection.reference).base;
        if (base.starts_with(kBaselinePrefix)) {
            names.insert(base.substr(kBaselinePrefix.size()));
        }
    }
    return names;
}

void add_baselines(const Store& from, const std::vector<Selection>& selections, Choice& choice) {
    std::set<std::string> runs;
    for (const auto& [experiment, chosen] : choice.runs) {
        runs.insert(chosen.begin(), chosen.end());
    }
    std::set<std::string> names = selected_baselines(selections);
    for (const Baseline& baseline : from.baselines()) {
        if (names.erase(baseline.name) == 0) { // the current revision comes first
            continue;
        }
        const bool has_all =
            std::all_of(baseline.runs.begin(), baseline.runs.end(), [&](const std::string& run) {
                return runs.contains(run);
            });
        if (has_all) {
            choice.baselines.push_back(baseline);
        }
    }
}

/// Writes a choice, in the caller's transactions.
class Bundle {
  public:
    Bundle(Connection& into, Connection& from, bool has_events)
        : into_(into),
          from_(from),
          copy_(into, from),
          has_events_(has_events) {}

    void add(const Choice& choice, const std::vector<Tag>& tags);

    [[nodiscard]] const BundleContent& content() const { return content_; }

  private:
    void add_experiments(const Choice& choice);
    void add_runs(std::int64_t from_id, const std::set<std::string>& chosen, std::int64_t into_id);

    Connection& into_;
    Connection& from_;
    StoreCopy copy_;
    bool has_events_;
    BundleContent content_;
};

void Bundle::add(const Choice& choice, const std::vector<Tag>& tags) {
    add_experiments(choice);
    for (const Tag& tag : tags) {
        const auto experiment = choice.runs.find(tag.experiment);
        if (experiment != choice.runs.end() && !choice.calibrations.contains(tag.experiment)
            && (!tag.run || experiment->second.contains(*tag.run))) {
            write_tag(into_, tag);
            ++content_.tags;
        }
    }
    for (const Baseline& baseline : choice.baselines) {
        write_baseline(into_, baseline, baseline.revision);
        ++content_.baselines;
    }
}

void Bundle::add_experiments(const Choice& choice) {
    Query rows(from_, "SELECT id, uuid FROM experiment ORDER BY started_at, id");
    while (rows.next()) {
        const auto chosen = choice.runs.find(rows.text(1));
        if (chosen == choice.runs.end()) {
            continue;
        }
        ++content_.experiments;
        content_.calibrations += choice.calibrations.contains(chosen->first) ? 1 : 0;
        add_runs(rows.integer(0), chosen->second, copy_.add_experiment(rows.integer(0)));
    }
}

void Bundle::add_runs(
    std::int64_t from_id, const std::set<std::string>& chosen, std::int64_t into_id
) {
    Query rows(from_, "SELECT id, uuid FROM run WHERE experiment_id = ? ORDER BY position, id");
    rows.with(from_id);
    while (rows.next()) {
        if (chosen.contains(rows.text(1))) {
            copy_.add_run(rows.integer(0), into_id, has_events_);
            ++content_.runs;
        }
    }
}

Choice choice_of(
    const Store& from, const std::vector<Selection>& selections, const BundleOptions& options
) {
    Choice choice;
    add_selected(from, selections, choice);
    if (options.has_calibrations) {
        add_calibrations(from, choice);
    }
    add_baselines(from, selections, choice);
    return choice;
}

void refuse_own_file(const Store& from, const std::filesystem::path& target) {
    std::error_code ignored;
    if (std::filesystem::equivalent(from.path(), target, ignored)) {
        throw UsageError(
            fmt::format("could not write {}: it is the store itself", target.string()),
            "name another file"
        );
    }
}

bool holds(const Choice& choice, const RunSummary& run) {
    const auto found = choice.runs.find(run.experiment);
    return found != choice.runs.end() && found->second.contains(run.uuid);
}

/// A bundle may be written again; a store that holds other runs may not go without a word.
void refuse_other_runs(const std::filesystem::path& target, const Choice& choice) {
    std::error_code missing;
    if (std::filesystem::file_size(target, missing) == 0 || missing) {
        return;
    }
    std::string lost;
    try {
        const Store there(target, OpenMode::read);
        for (const ExperimentSummary& experiment : there.list_experiments()) {
            for (const RunSummary& run : there.list_runs(experiment.uuid)) {
                if (!holds(choice, run)) {
                    lost = run.uuid;
                }
            }
        }
    } catch (const Error&) {
        return; // no store: what it is was checked before
    }
    if (!lost.empty()) {
        throw UsageError(
            fmt::format(
                "could not write {}: it is a store that holds other runs, as {}",
                target.string(),
                lost.substr(0, 8)
            ),
            "name another file, or add to that store: kvprof merge"
        );
    }
}

} // namespace

BundleContent export_bundle(
    const Store& from,
    const std::vector<Selection>& selections,
    const std::filesystem::path& target,
    const BundleOptions& options
) {
    refuse_own_file(from, target);
    BundleFile file(target);
    BundleContent content;
    {
        Connection into(file.path(), OpenMode::create, Store::kLockWait, target);
        // Nobody else knows this file, and an unfinished one is thrown away: no log, and one wait
        // for the disk at the end.
        into.execute("PRAGMA journal_mode = MEMORY");
        into.execute("PRAGMA synchronous = OFF");
        {
            const Transaction snapshot(from.connection(), Transaction::Kind::read);
            const Choice choice = choice_of(from, selections, options);
            refuse_other_runs(target, choice);
            Transaction change(into, Transaction::Kind::write);
            Bundle bundle(into, from.connection(), options.has_events);
            bundle.add(choice, from.tags());
            content = bundle.content();
            change.commit();
        }
        into.execute("VACUUM");
    }
    content.bytes = std::filesystem::file_size(file.path());
    file.replace_target();
    return content;
}

} // namespace kvprof::db
