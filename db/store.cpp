#include "db/store.h"

#include "capture/model/error.h"
#include "capture/model/params.h"
#include "db/connection.h"
#include "db/store_rows.h"
#include "db/stored_name.h"

#include <fmt/format.h>

#include <map>
#include <random>
#include <utility>

namespace kvprof::db {

namespace {

using Kind = Transaction::Kind;

StoredRow row_of(Connection& connection, std::string_view uuid) {
    Query run(connection, "SELECT experiment_id, id FROM run WHERE uuid = ?");
    if (run.with(uuid).next()) {
        return {.uuid = uuid, .experiment_id = run.integer(0), .run_id = run.integer(1)};
    }
    return {.uuid = uuid, .experiment_id = experiment_id(connection, uuid), .run_id = std::nullopt};
}

std::map<std::int64_t, std::vector<std::string>> experiment_tags(Connection& connection) {
    std::map<std::int64_t, std::vector<std::string>> names;
    Query rows(
        connection, "SELECT experiment_id, name FROM tag WHERE run_id IS NULL ORDER BY name"
    );
    while (rows.next()) {
        names[rows.integer(0)].push_back(rows.text(1));
    }
    return names;
}

template<NamedEnum E>
E known(const Connection& connection, const std::string& word) {
    if (const auto value = parse_enum<E>(word)) {
        return *value;
    }
    throw StoreError(
        fmt::format(
            "could not list the store {}: \"{}\" has no meaning in this program",
            connection.path().string(),
            word
        ),
        "use the kvprof that wrote it"
    );
}

/// Within the caller's transaction.
void remove_row(Connection& connection, std::string_view uuid) {
    const StoredRow row = row_of(connection, uuid);
    refuse_held(connection, row);
    if (row.run_id) {
        Query(connection, "DELETE FROM run WHERE id = ?").with(*row.run_id).run();
    } else {
        Query(connection, "DELETE FROM experiment WHERE id = ?").with(row.experiment_id).run();
    }
}

} // namespace

Store::Store(const std::filesystem::path& path, OpenMode mode, std::chrono::milliseconds lock_wait)
    : connection_(std::make_unique<Connection>(path, mode, lock_wait)) {}

Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

const std::filesystem::path& Store::path() const noexcept {
    return connection_->path();
}

void Store::add_experiment(const Experiment& experiment) {
    Transaction transaction(*connection_, Kind::write);
    const std::int64_t id = write_experiment(*connection_, experiment);
    for (const Run& run : experiment.runs) {
        write_run(*connection_, id, run);
    }
    transaction.commit();
}

void Store::add_run(std::string_view experiment_uuid, const Run& run) {
    Transaction transaction(*connection_, Kind::write);
    write_run(*connection_, experiment_id(*connection_, experiment_uuid), run);
    transaction.commit();
}

void Store::replace_run(std::string_view experiment_uuid, const Run& run) {
    Transaction transaction(*connection_, Kind::write);
    // The row of before stays until what names the run names its new row.
    Query(*connection_, "UPDATE run SET uuid = uuid || '-replaced' WHERE uuid = ?")
        .with(run.uuid)
        .run();
    write_run(*connection_, experiment_id(*connection_, experiment_uuid), run);
    for (const char* names : {"tag", "baseline_run"}) {
        Query(
            *connection_,
            fmt::format(
                "UPDATE {} SET run_id = (SELECT id FROM run WHERE uuid = ?1) "
                "WHERE run_id = (SELECT id FROM run WHERE uuid = ?1 || '-replaced')",
                names
            )
        )
            .with(run.uuid)
            .run();
    }
    Query(*connection_, "DELETE FROM run WHERE uuid = ? || '-replaced'").with(run.uuid).run();
    transaction.commit();
}

void Store::finish_experiment(std::string_view experiment_uuid, ExperimentState state) {
    Transaction transaction(*connection_, Kind::write);
    const std::int64_t id = experiment_id(*connection_, experiment_uuid);
    Query(*connection_, "UPDATE experiment SET state = ? WHERE id = ?")
        .with(to_string(state), id)
        .run();
    transaction.commit();
}

Experiment Store::load_experiment(std::string_view uuid) const {
    const Transaction snapshot(*connection_, Kind::read);
    return read_experiment(*connection_, uuid);
}

std::vector<Run> Store::load_runs(const std::vector<std::string>& uuids) const {
    const Transaction snapshot(*connection_, Kind::read);
    std::vector<Run> runs;
    for (const std::string& uuid : uuids) {
        runs.push_back(read_run(*connection_, uuid));
    }
    return runs;
}

std::vector<KernelEvent> Store::load_events(std::string_view run_uuid) const {
    const Transaction snapshot(*connection_, Kind::read);
    return read_events(*connection_, run_uuid);
}

std::vector<ExperimentSummary> Store::list_experiments(std::optional<ExperimentKind> kind) const {
    const Transaction snapshot(*connection_, Kind::read);
    auto tags = experiment_tags(*connection_);
    Query rows(
        *connection_,
        "SELECT experiment.id, experiment.uuid, experiment.started_at, label, command_line, "
        "experiment.state, kind, count(run.id), "
        "count(CASE run.state WHEN 'complete' THEN 1 END), count(DISTINCT run.variant), "
        "count(CASE run.state WHEN 'void' THEN 1 END) "
        "FROM experiment LEFT JOIN run ON run.experiment_id = experiment.id "
        "WHERE kind = coalesce(?, kind) "
        "GROUP BY experiment.id ORDER BY experiment.started_at DESC, experiment.id DESC"
    );
    rows.with(kind ? std::optional(std::string(to_string(*kind))) : std::nullopt);
    std::vector<ExperimentSummary> summaries;
    while (rows.next()) {
        summaries.push_back(
            {.uuid = rows.text(1),
             .started_at = rows.text(2),
             .label = rows.text(3),
             .command_line = rows.text(4),
             .state = known<ExperimentState>(*connection_, rows.text(5)),
             .kind = known<ExperimentKind>(*connection_, rows.text(6)),
             .runs = rows.integer(7),
             .complete_runs = rows.integer(8),
             .void_runs = rows.integer(10),
             .variants = rows.integer(9),
             .tags = std::move(tags[rows.integer(0)])}
        );
    }
    return summaries;
}

std::vector<RunSummary> Store::list_runs(std::string_view experiment_uuid) const {
    const Transaction snapshot(*connection_, Kind::read);
    Query rows(
        *connection_,
        "SELECT uuid, variant, repeat, position, state, "
        "EXISTS(SELECT 1 FROM kernel_event WHERE run_id = run.id) FROM run "
        "WHERE experiment_id = ? ORDER BY position, id"
    );
    rows.with(experiment_id(*connection_, experiment_uuid));
    std::vector<RunSummary> summaries;
    while (rows.next()) {
        summaries.push_back(
            {.uuid = rows.text(0),
             .experiment = std::string(experiment_uuid),
             .variant = rows.text(1),
             .repeat = rows.integer(2),
             .position = rows.integer(3),
             .state = known<RunState>(*connection_, rows.text(4)),
             .has_events = rows.integer(5) != 0}
        );
    }
    return summaries;
}

std::string Store::experiment_of(std::string_view run_uuid) const {
    Query row(
        *connection_,
        "SELECT experiment.uuid FROM run JOIN experiment ON experiment.id = run.experiment_id "
        "WHERE run.uuid = ?"
    );
    if (!row.with(run_uuid).next()) {
        refuse_unknown(*connection_, "run", run_uuid);
    }
    return row.text(0);
}

std::vector<StoredId> Store::ids_starting_with(std::string_view prefix) const {
    // The range, up to the last character that there is, is one that the index can find.
    Query rows(
        *connection_,
        "SELECT uuid, uuid, started_at, 0 AS is_run FROM experiment "
        "WHERE uuid >= ?1 AND uuid < ?1 || char(1114111) "
        "UNION ALL "
        "SELECT run.uuid, experiment.uuid, run.started_at, 1 FROM run "
        "JOIN experiment ON experiment.id = run.experiment_id "
        "WHERE run.uuid >= ?1 AND run.uuid < ?1 || char(1114111) "
        "ORDER BY is_run, 1"
    );
    rows.with(prefix);
    std::vector<StoredId> ids;
    while (rows.next()) {
        ids.push_back(
            {.uuid = rows.text(0),
             .experiment = rows.text(1),
             .started_at = rows.text(2),
             .is_run = rows.integer(3) != 0}
        );
    }
    return ids;
}

void Store::remove(std::string_view uuid) {
    Transaction transaction(*connection_, Kind::write);
    remove_row(*connection_, uuid);
    transaction.commit();
}

void Store::remove(const std::vector<std::string>& uuids) {
    Transaction transaction(*connection_, Kind::write);
    for (const std::string& uuid : uuids) {
        remove_row(*connection_, uuid);
    }
    transaction.commit();
}

void Store::tag(std::string_view name, std::string_view uuid) {
    require_tag_name(name);
    Transaction transaction(*connection_, Kind::write);
    const StoredRow row = row_of(*connection_, uuid);
    Query(*connection_, "INSERT OR REPLACE INTO tag(name, experiment_id, run_id) VALUES(?, ?, ?)")
        .with(name, row.experiment_id, row.run_id)
        .run();
    transaction.commit();
}

void Store::untag(std::string_view name) {
    Transaction transaction(*connection_, Kind::write);
    Query removed(*connection_, "DELETE FROM tag WHERE name = ? RETURNING name");
    if (!removed.with(name).next()) {
        throw UsageError(
            fmt::format("could not remove the tag \"{}\": there is none of that name", name),
            "list the tags with: kvprof ls"
        );
    }
    removed.run();
    transaction.commit();
}

std::vector<Tag> Store::tags() const {
    Query rows(
        *connection_,
        "SELECT tag.name, experiment.uuid, run.uuid FROM tag "
        "JOIN experiment ON experiment.id = tag.experiment_id "
        "LEFT JOIN run ON run.id = tag.run_id ORDER BY tag.name"
    );
    std::vector<Tag> tags;
    while (rows.next()) {
        tags.push_back(
            {.name = rows.text(0), .experiment = rows.text(1), .run = rows.optional_text(2)}
        );
    }
    return tags;
}

void write_tag(Connection& connection, const Tag& tag) {
    Query(
        connection,
        "INSERT INTO tag(name, experiment_id, run_id) VALUES(?1, "
        "(SELECT id FROM experiment WHERE uuid = ?2), (SELECT id FROM run WHERE uuid = ?3))"
    )
        .with(tag.name, tag.experiment, tag.run)
        .run();
}

std::string new_uuid() {
    constexpr int kWords = 4;
    std::random_device entropy;
    std::string uuid;
    for (int word = 0; word < kWords; ++word) {
        uuid += fmt::format("{:08x}", entropy() & 0xffffffffU);
    }
    return uuid;
}

} // namespace kvprof::db
