#include "db/connection.h"
#include "db/store_rows.h"

#include <cstdint>

namespace kvprof::db {

namespace {

/// The rows of the ranks; `rank` is the place of one among them.
class RankRows {
  public:
    explicit RankRows(Connection& connection)
        : rank_(
            connection,
            "INSERT INTO profile_rank(run_id, ordinal, rank, file, gpu) VALUES(?, ?, ?, ?, ?)"
        ),
          figure_(
              connection,
              "INSERT INTO profile_figure(run_id, rank_ordinal, ordinal, name, value) "
              "VALUES(?, ?, ?, ?, ?)"
          ),
          step_(
              connection,
              "INSERT INTO profile_step(run_id, rank_ordinal, ordinal, name, start_ns, "
              "duration_ns, launches, graph_launches, kernels, kernel_sum_ns) "
              "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
          ) {}

    void write(std::int64_t run_id, std::int64_t ordinal, const ProfileRank& rank) {
        rank_.with(run_id, ordinal, rank.rank, rank.file, rank.gpu).run();
        std::int64_t place = 0;
        for (const ProfileFigure& figure : rank.figures) {
            figure_.with(run_id, ordinal, place++, figure.name, figure.value).run();
        }
        place = 0;
        for (const ProfileStep& step : rank.steps) {
            step_
                .with(
                    run_id,
                    ordinal,
                    place++,
                    step.name,
                    step.start,
                    step.duration,
                    step.launches,
                    step.graph_launches,
                    step.kernels,
                    step.kernel_sum
                )
                .run();
        }
    }

  private:
    Query rank_;
    Query figure_;
    Query step_;
};

void write_head(Connection& connection, std::int64_t run_id, const Profile& profile) {
    Query(
        connection,
        "INSERT INTO profile(run_id, source, writer, step_rule, is_partial) VALUES(?, ?, ?, ?, ?)"
    )
        .with(
            run_id,
            to_string(profile.source),
            profile.writer,
            profile.step_rule,
            profile.is_partial ? 1 : 0
        )
        .run();
}

void write_ranks(Connection& connection, std::int64_t run_id, const Profile& profile) {
    RankRows rows(connection);
    std::int64_t ordinal = 0;
    for (const ProfileRank& rank : profile.ranks) {
        rows.write(run_id, ordinal++, rank);
    }
}

void write_capabilities(Connection& connection, std::int64_t run_id, const Profile& profile) {
    Query insert(
        connection,
        "INSERT INTO profile_capability(run_id, ordinal, name, state) VALUES(?, ?, ?, ?)"
    );
    std::int64_t ordinal = 0;
    for (const ProfileCapability& capability : profile.capabilities) {
        insert.with(run_id, ordinal++, capability.name, to_string(capability.state)).run();
    }
}

void write_warnings(Connection& connection, std::int64_t run_id, const Profile& profile) {
    Query insert(
        connection,
        "INSERT INTO profile_warning(run_id, ordinal, word, count, text) VALUES(?, ?, ?, ?, ?)"
    );
    std::int64_t ordinal = 0;
    for (const ProfileWarning& warning : profile.warnings) {
        insert.with(run_id, ordinal++, warning.word, warning.count, warning.text).run();
    }
}

void write_neighbours(Connection& connection, std::int64_t run_id, const Profile& profile) {
    Query insert(
        connection,
        "INSERT INTO profile_neighbour(run_id, kernel, kernel_before, kernel_after) "
        "VALUES(?, ?, ?, ?)"
    );
    for (const KernelNeighbours& one : profile.neighbours) {
        insert.with(run_id, one.kernel, one.before, one.after).run();
    }
}

} // namespace

void write_profile(Connection& connection, std::int64_t run_id, const Run& run) {
    if (!run.profile) {
        return;
    }
    write_head(connection, run_id, *run.profile);
    write_ranks(connection, run_id, *run.profile);
    write_capabilities(connection, run_id, *run.profile);
    write_warnings(connection, run_id, *run.profile);
    write_neighbours(connection, run_id, *run.profile);
}

} // namespace kvprof::db
