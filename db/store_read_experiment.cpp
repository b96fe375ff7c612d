#include "db/connection.h"
#include "db/store_rows.h"
#include "db/stored_word.h"

#include <optional>
#include <string>

namespace kvprof::db {

namespace {

std::optional<AbDesign> read_design(Connection& connection, std::int64_t experiment_id) {
    Query row(
        connection, "SELECT a, b, runs, looks, seed, attempt FROM ab_design WHERE experiment_id = ?"
    );
    if (!row.with(experiment_id).next()) {
        return std::nullopt;
    }
    AbDesign design{
        .a = row.text(0),
        .b = row.text(1),
        .runs = row.integer(2),
        .looks = row.integer(3),
        .seed = row.integer(4),
        .attempt = row.integer(5),
        .treatment = {}};
    Query fields(
        connection, "SELECT field FROM ab_treatment WHERE experiment_id = ? ORDER BY ordinal"
    );
    fields.with(experiment_id);
    while (fields.next()) {
        design.treatment.push_back(fields.text(0));
    }
    return design;
}

} // namespace

std::int64_t experiment_id(Connection& connection, std::string_view uuid) {
    Query row(connection, "SELECT id FROM experiment WHERE uuid = ?");
    if (!row.with(uuid).next()) {
        refuse_unknown(connection, "experiment", uuid);
    }
    return row.integer(0);
}

Experiment read_experiment(Connection& connection, std::string_view uuid) {
    Query row(
        connection,
        "SELECT id, uuid, started_at, command_line, label, state, kind FROM experiment "
        "WHERE uuid = ?"
    );
    if (!row.with(uuid).next()) {
        refuse_unknown(connection, "experiment", uuid);
    }
    const std::int64_t id = row.integer(0);
    Experiment experiment{
        .uuid = row.text(1),
        .started_at = row.text(2),
        .command_line = row.text(3),
        .label = row.text(4),
        .state = enum_of<ExperimentState>(connection, uuid, row.text(5)),
        .kind = enum_of<ExperimentKind>(connection, uuid, row.text(6)),
        .ab = read_design(connection, id),
        .runs = {}};
    Query runs(connection, "SELECT uuid FROM run WHERE experiment_id = ? ORDER BY position, id");
    runs.with(id);
    while (runs.next()) {
        experiment.runs.push_back(read_run(connection, runs.text(0)));
    }
    return experiment;
}

} // namespace kvprof::db
