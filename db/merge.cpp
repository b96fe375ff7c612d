#include "db/merge.h"

#include "capture/model/error.h"
#include "db/connection.h"
#include "db/revision_merge.h"
#include "db/store_copy.h"
#include "db/store_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

namespace kvprof::db {

namespace {

using ConflictKind = MergeConflict::Kind;

void refuse_same_file(const Store& into, const Store& from) {
    std::error_code ignored;
    if (std::filesystem::equivalent(into.path(), from.path(), ignored)) {
        throw UsageError(
            fmt::format("could not merge {}: it is the store itself", from.path().string()),
            "name another store; --db is the one that receives"
        );
    }
}

struct RunRow {
    std::int64_t id = 0;
    std::int64_t experiment_id = 0;
    std::string uuid;
};

struct ExperimentRow {
    std::int64_t id = 0;
    std::string uuid;
    std::string state;
};

/// One merge, in the caller's transactions.
class Merge {
  public:
    Merge(Connection& into, Connection& from)
        : into_(into),
          from_(from),
          copy_(into, from),
          own_experiment_(into, "SELECT id, uuid, state FROM experiment WHERE uuid = ?"),
          own_run_(into, "SELECT id, experiment_id, uuid FROM run WHERE uuid = ?") {}

    void take_experiments();
    void take_tags(const std::vector<Tag>& own, const std::vector<Tag>& theirs);
    void take_baselines(const std::vector<Baseline>& own, const std::vector<Baseline>& theirs);

    [[nodiscard]] const MergeResult& result() const { return result_; }

  private:
    void take_experiment(const ExperimentRow& theirs);
    void take_runs(const ExperimentRow& theirs, std::int64_t into_id);
    void take_run(const RunRow& theirs, const std::string& experiment, std::int64_t into_id);
    void take_tag(const Tag& tag);
    void move_state_on(const ExperimentRow& own, const std::string& state);
    void
    add_conflict(ConflictKind kind, std::string name, std::string experiment, std::string cause);
    /// Whether the receiving store holds just what the other calls so.
    [[nodiscard]] bool has_taken(const std::string& experiment, const std::string& run);
    [[nodiscard]] std::optional<ExperimentRow> own_experiment(const std::string& uuid);
    [[nodiscard]] std::optional<RunRow> own_run(const std::string& uuid);

    Connection& into_;
    Connection& from_;
    StoreCopy copy_;
    Query own_experiment_;
    Query own_run_;
    std::set<std::string> refused_; ///< uuids of experiments and runs that are conflicts
    MergeResult result_;
};

std::optional<ExperimentRow> Merge::own_experiment(const std::string& uuid) {
    std::optional<ExperimentRow> row;
    if (own_experiment_.with(uuid).next()) {
        row = {own_experiment_.integer(0), own_experiment_.text(1), own_experiment_.text(2)};
    }
    own_experiment_.reset();
    return row;
}

std::optional<RunRow> Merge::own_run(const std::string& uuid) {
    std::optional<RunRow> row;
    if (own_run_.with(uuid).next()) {
        row = {own_run_.integer(0), own_run_.integer(1), own_run_.text(2)};
    }
    own_run_.reset();
    return row;
}

void Merge::add_conflict(
    ConflictKind kind, std::string name, std::string experiment, std::string cause
) {
    if (kind == ConflictKind::experiment || kind == ConflictKind::run) {
        refused_.insert(name);
    }
    result_.conflicts.push_back({kind, std::move(name), std::move(experiment), std::move(cause)});
}

void Merge::take_experiments() {
    Query rows(from_, "SELECT id, uuid, state FROM experiment ORDER BY id");
    while (rows.next()) {
        take_experiment({rows.integer(0), rows.text(1), rows.text(2)});
    }
}

void Merge::take_experiment(const ExperimentRow& theirs) {
    const auto own = own_experiment(theirs.uuid);
    if (!own) {
        ++result_.experiments.added;
        take_runs(theirs, copy_.add_experiment(theirs.id));
        return;
    }
    if (const auto table = copy_.experiment_difference(own->id, theirs.id)) {
        add_conflict(
            ConflictKind::experiment,
            theirs.uuid,
            theirs.uuid,
            fmt::format("it is another one here (the rows in {} differ)", *table)
        );
        return;
    }
    ++result_.experiments.known;
    move_state_on(*own, theirs.state);
    take_runs(theirs, own->id);
}

void Merge::move_state_on(const ExperimentRow& own, const std::string& state) {
    const auto before = parse_enum<ExperimentState>(own.state);
    const auto after = parse_enum<ExperimentState>(state);
    // A run that was cut off may be taken up again, one that is complete is not.
    constexpr auto kComplete = ExperimentState::complete;
    const bool moves = after == kComplete || before == ExperimentState::running;
    if (before && after && before != after && before != kComplete && moves) {
        Query(into_, "UPDATE experiment SET state = ? WHERE id = ?").with(state, own.id).run();
        ++result_.states_updated;
    }
}

void Merge::take_runs(const ExperimentRow& theirs, std::int64_t into_id) {
    Query rows(
        from_,
        "SELECT id, experiment_id, uuid FROM run WHERE experiment_id = ? ORDER BY position, id"
    );
    rows.with(theirs.id);
    while (rows.next()) {
        take_run({rows.integer(0), rows.integer(1), rows.text(2)}, theirs.uuid, into_id);
    }
}

void Merge::take_run(const RunRow& theirs, const std::string& experiment, std::int64_t into_id) {
    const auto own = own_run(theirs.uuid);
    if (!own) {
        copy_.add_run(theirs.id, into_id, true);
        ++result_.runs.added;
    } else if (own->experiment_id != into_id) {
        add_conflict(
            ConflictKind::run, theirs.uuid, experiment, "it is a run of another experiment here"
        );
    } else if (const auto table = copy_.run_difference(own->id, theirs.id)) {
        add_conflict(
            ConflictKind::run, theirs.uuid, experiment, fmt::format("its rows in {} differ", *table)
        );
    } else {
        ++result_.runs.known;
        result_.events_added += copy_.complete_events(theirs.id, own->id) ? 1 : 0;
    }
}

bool Merge::has_taken(const std::string& experiment, const std::string& run) {
    const bool is_refused = refused_.contains(experiment) || refused_.contains(run);
    return !is_refused
           && (run.empty() ? own_experiment(experiment).has_value() : own_run(run).has_value());
}

void Merge::take_tags(const std::vector<Tag>& own, const std::vector<Tag>& theirs) {
    for (const Tag& tag : theirs) {
        const auto same_name = std::find_if(own.begin(), own.end(), [&](const Tag& other) {
            return other.name == tag.name;
        });
        if (same_name == own.end()) {
            take_tag(tag);
        } else if (*same_name == tag) {
            ++result_.tags.known;
        } else {
            const bool is_run = same_name->run.has_value();
            add_conflict(
                ConflictKind::tag,
                tag.name,
                {},
                fmt::format(
                    "it names {} {} here",
                    is_run ? "run" : "experiment",
                    is_run ? *same_name->run : same_name->experiment
                )
            );
        }
    }
}

void Merge::take_tag(const Tag& tag) {
    const std::string run = tag.run.value_or("");
    if (!has_taken(tag.experiment, run)) {
        add_conflict(
            ConflictKind::tag,
            tag.name,
            {},
            fmt::format(
                "what it names, {} {}, is another one here",
                tag.run ? "run" : "experiment",
                tag.run ? run : tag.experiment
            )
        );
        return;
    }
    write_tag(into_, tag);
    ++result_.tags.added;
}

void Merge::take_baselines(const std::vector<Baseline>& own, const std::vector<Baseline>& theirs) {
    std::vector<Baseline> fresh;
    for (const Baseline& baseline : theirs) {
        if (baseline.runs.empty()) {
            continue; // its runs were removed: nothing can be compared with it
        }
        if (holds(own, baseline)) {
            ++result_.baselines.known;
            continue;
        }
        const auto missing =
            std::find_if(baseline.runs.begin(), baseline.runs.end(), [&](const std::string& run) {
                return refused_.contains(run) || !own_run(run);
            });
        if (missing == baseline.runs.end()) {
            fresh.push_back(baseline);
        } else {
            add_conflict(
                ConflictKind::baseline,
                baseline.name,
                {},
                fmt::format("its run {} is another one here", *missing)
            );
        }
    }
    result_.baselines.added = std::ssize(fresh);
    add_revisions(into_, own, fresh);
}

} // namespace

MergeResult merge(Store& into, const Store& from) {
    refuse_same_file(into, from);
    const Transaction snapshot(from.connection(), Transaction::Kind::read);
    Transaction change(into.connection(), Transaction::Kind::write);
    Merge work(into.connection(), from.connection());
    work.take_experiments();
    work.take_tags(into.tags(), from.tags());
    work.take_baselines(into.baselines(), from.baselines());
    change.commit();
    return work.result();
}

} // namespace kvprof::db
