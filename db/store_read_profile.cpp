#include "db/connection.h"
#include "db/store_rows.h"
#include "db/stored_word.h"

#include <cstdint>

namespace kvprof::db {

namespace {

std::vector<ProfileFigure>
figures_of(Connection& connection, std::int64_t run_id, std::int64_t rank) {
    Query rows(
        connection,
        "SELECT name, value FROM profile_figure WHERE run_id = ? AND rank_ordinal = ? "
        "ORDER BY ordinal"
    );
    rows.with(run_id, rank);
    std::vector<ProfileFigure> figures;
    while (rows.next()) {
        figures.push_back({.name = rows.text(0), .value = rows.integer(1)});
    }
    return figures;
}

std::vector<ProfileStep> steps_of(Connection& connection, std::int64_t run_id, std::int64_t rank) {
    Query rows(
        connection,
        "SELECT name, start_ns, duration_ns, launches, graph_launches, kernels, kernel_sum_ns "
        "FROM profile_step WHERE run_id = ? AND rank_ordinal = ? ORDER BY ordinal"
    );
    rows.with(run_id, rank);
    std::vector<ProfileStep> steps;
    while (rows.next()) {
        steps.push_back(
            {.name = rows.text(0),
             .start = rows.duration(1),
             .duration = rows.duration(2),
             .launches = rows.integer(3),
             .graph_launches = rows.integer(4),
             .kernels = rows.integer(5),
             .kernel_sum = rows.duration(6)}
        );
    }
    return steps;
}

void read_ranks(Connection& connection, std::int64_t run_id, Profile& profile) {
    Query rows(
        connection,
        "SELECT ordinal, rank, file, gpu FROM profile_rank WHERE run_id = ? ORDER BY ordinal"
    );
    rows.with(run_id);
    while (rows.next()) {
        const std::int64_t ordinal = rows.integer(0);
        profile.ranks.push_back(
            {.rank = rows.text(1),
             .file = rows.text(2),
             .gpu = rows.text(3),
             .figures = figures_of(connection, run_id, ordinal),
             .steps = steps_of(connection, run_id, ordinal)}
        );
    }
}

void read_capabilities(
    Connection& connection, std::int64_t run_id, std::string_view uuid, Profile& profile
) {
    Query rows(
        connection, "SELECT name, state FROM profile_capability WHERE run_id = ? ORDER BY ordinal"
    );
    rows.with(run_id);
    while (rows.next()) {
        profile.capabilities.push_back(
            {.name = rows.text(0), .state = enum_of<Capability>(connection, uuid, rows.text(1))}
        );
    }
}

void read_warnings(Connection& connection, std::int64_t run_id, Profile& profile) {
    Query rows(
        connection,
        "SELECT word, count, text FROM profile_warning WHERE run_id = ? ORDER BY ordinal"
    );
    rows.with(run_id);
    while (rows.next()) {
        profile.warnings.push_back(
            {.word = rows.text(0), .count = rows.integer(1), .text = rows.text(2)}
        );
    }
}

void read_neighbours(Connection& connection, std::int64_t run_id, Profile& profile) {
    Query rows(
        connection,
        "SELECT kernel, kernel_before, kernel_after FROM profile_neighbour WHERE run_id = ? "
        "ORDER BY kernel"
    );
    rows.with(run_id);
    while (rows.next()) {
        profile.neighbours.push_back(
            {.kernel = rows.integer(0),
             .before = rows.optional_integer(1),
             .after = rows.optional_integer(2)}
        );
    }
}

} // namespace

void read_profile(Connection& connection, std::int64_t run_id, Run& run) {
    Query row(
        connection, "SELECT source, writer, step_rule, is_partial FROM profile WHERE run_id = ?"
    );
    if (!row.with(run_id).next()) {
        return;
    }
    Profile& profile = run.profile.emplace();
    profile.source = enum_of<ProfileSource>(connection, run.uuid, row.text(0));
    profile.writer = row.text(1);
    profile.step_rule = row.text(2);
    profile.is_partial = row.integer(3) != 0;
    read_ranks(connection, run_id, profile);
    read_capabilities(connection, run_id, run.uuid, profile);
    read_warnings(connection, run_id, profile);
    read_neighbours(connection, run_id, profile);
}

} // namespace kvprof::db
