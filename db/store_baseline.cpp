#include "capture/model/error.h"
#include "capture/model/params.h"
#include "db/connection.h"
#include "db/store_rows.h"
#include "db/stored_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kvprof::db {

namespace {

using Kind = Transaction::Kind;

std::int64_t next_revision(Connection& connection, std::string_view name) {
    Query row(connection, "SELECT coalesce(max(revision), 0) + 1 FROM baseline WHERE name = ?");
    static_cast<void>(row.with(name).next());
    return row.integer(0);
}

std::int64_t run_id(Connection& connection, std::string_view uuid) {
    Query row(connection, "SELECT id FROM run WHERE uuid = ?");
    if (!row.with(uuid).next()) {
        refuse_unknown(connection, "run", uuid);
    }
    return row.integer(0);
}

[[noreturn]] void refuse_unknown_baseline(Connection& connection, std::string_view name) {
    std::vector<std::string> names;
    Query rows(connection, "SELECT DISTINCT name FROM baseline ORDER BY name");
    while (rows.next()) {
        names.push_back(rows.text(0));
    }
    const std::string_view near = nearest(name, {names.begin(), names.end()});
    throw UsageError(
        fmt::format("could not remove the baseline \"{}\": there is none of that name", name),
        fmt::format(
            "{}list the baselines with: kvprof baseline ls",
            near.empty() ? "" : fmt::format("did you mean {}? ", near)
        )
    );
}

} // namespace

void write_baseline(Connection& connection, const Baseline& baseline, std::int64_t revision) {
    Query insert(
        connection,
        "INSERT INTO baseline(name, revision, set_at, author, reason) VALUES(?, ?, ?, ?, ?) "
        "RETURNING id"
    );
    insert.with(baseline.name, revision, baseline.set_at, baseline.author, baseline.reason);
    static_cast<void>(insert.next());
    const std::int64_t id = insert.integer(0);
    insert.run();
    Query hold(connection, "INSERT OR IGNORE INTO baseline_run(baseline_id, run_id) VALUES(?, ?)");
    for (const std::string& uuid : baseline.runs) {
        hold.with(id, run_id(connection, uuid)).run();
    }
}

void refuse_held(Connection& connection, const StoredRow& row) {
    Query rows(
        connection,
        "SELECT DISTINCT baseline.name FROM run "
        "JOIN baseline_run ON baseline_run.run_id = run.id "
        "JOIN baseline ON baseline.id = baseline_run.baseline_id "
        "WHERE run.experiment_id = ?1 AND run.id = coalesce(?2, run.id) AND revision = "
        "(SELECT max(revision) FROM baseline AS any_revision "
        "WHERE any_revision.name = baseline.name) "
        "ORDER BY baseline.name"
    );
    rows.with(row.experiment_id, row.run_id);
    std::vector<std::string> names;
    while (rows.next()) {
        names.push_back(rows.text(0));
    }
    if (!names.empty()) {
        throw UsageError(
            fmt::format(
                "could not remove {} {}: it is held by the baseline {}",
                row.run_id ? "run" : "experiment",
                row.uuid.substr(0, 8),
                fmt::join(names, ", ")
            ),
            fmt::format(
                "set the baseline anew with: kvprof baseline set {0} REF; or let it go with: "
                "kvprof baseline rm {0}",
                names.front()
            )
        );
    }
}

std::int64_t Store::set_baseline(const Baseline& baseline) {
    require_baseline_name(baseline.name);
    if (baseline.runs.empty()) {
        throw UsageError(
            fmt::format("could not set the baseline \"{}\": it would hold no run", baseline.name),
            "name an experiment that has runs; list them with: kvprof ls"
        );
    }
    Transaction transaction(*connection_, Kind::write);
    const std::int64_t revision = next_revision(*connection_, baseline.name);
    write_baseline(*connection_, baseline, revision);
    transaction.commit();
    return revision;
}

std::vector<Baseline> Store::baselines() const {
    Query rows(
        *connection_,
        "SELECT baseline.id, name, revision, set_at, author, baseline.reason, run.uuid FROM "
        "baseline "
        "LEFT JOIN baseline_run ON baseline_run.baseline_id = baseline.id "
        "LEFT JOIN run ON run.id = baseline_run.run_id "
        "LEFT JOIN experiment ON experiment.id = run.experiment_id "
        "ORDER BY name, revision DESC, experiment.started_at, experiment.id, run.position, run.id"
    );
    std::vector<Baseline> baselines;
    std::optional<std::int64_t> last;
    while (rows.next()) {
        if (last != rows.integer(0)) {
            last = rows.integer(0);
            baselines.push_back(
                {.name = rows.text(1),
                 .revision = rows.integer(2),
                 .set_at = rows.text(3),
                 .author = rows.text(4),
                 .reason = rows.text(5),
                 .runs = {}}
            );
        }
        if (auto uuid = rows.optional_text(6)) {
            baselines.back().runs.push_back(*std::move(uuid));
        }
    }
    return baselines;
}

void Store::remove_baseline(std::string_view name) {
    Transaction transaction(*connection_, Kind::write);
    Query removed(*connection_, "DELETE FROM baseline WHERE name = ? RETURNING name");
    if (!removed.with(name).next()) {
        refuse_unknown_baseline(*connection_, name);
    }
    removed.run();
    transaction.commit();
}

} // namespace kvprof::db
