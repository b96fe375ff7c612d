#include "capture/model/error.h"
#include "capture/model/params.h"
#include "db/connection.h"
#include "db/store.h"

#include <utility>

namespace kvprof::db {

namespace {

/// A step with a value that this program does not know is none that it can be asked for.
bool is_of_step(Connection& connection, std::int64_t run_id, const StepSpec& step) {
    Query rows(connection, "SELECT name, value FROM run_param WHERE run_id = ? AND spec = 'step'");
    rows.with(run_id);
    StepSpec stored;
    try {
        while (rows.next()) {
            static_cast<void>(set_field(stored, rows.text(0), rows.text(1)));
        }
    } catch (const UsageError&) {
        return false;
    }
    return stored == step;
}

} // namespace

std::vector<std::string> Store::calibrations_of(const StepSpec& step) const {
    const Transaction snapshot(*connection_, Transaction::Kind::read);
    // The runs of a calibration are of one step: its first one tells.
    Query rows(
        *connection_,
        "SELECT uuid, (SELECT id FROM run WHERE experiment_id = experiment.id "
        "ORDER BY position, id LIMIT 1) AS first_run FROM experiment "
        "WHERE kind = 'calibration' AND first_run IS NOT NULL "
        "ORDER BY started_at DESC, experiment.id DESC"
    );
    std::vector<std::string> uuids;
    while (rows.next()) {
        if (is_of_step(*connection_, rows.integer(1), step)) {
            uuids.push_back(rows.text(0));
        }
    }
    return uuids;
}

} // namespace kvprof::db
