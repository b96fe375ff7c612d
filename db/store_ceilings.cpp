#include "db/connection.h"
#include "db/store.h"
#include "db/store_rows.h"
#include "db/stored_word.h"

#include <cmath>
#include <optional>

namespace kvprof::db {

namespace {

/// A figure that can be a ceiling; one that is not there, zero, negative or infinite can not.
std::optional<double> figure_of(const Query& row, int column) {
    const std::optional<double> figure = row.optional_real(column);
    return figure && *figure > 0.0 && std::isfinite(*figure) ? figure : std::nullopt;
}

/// Adds a row to the ceilings that the rows before it began. Rows come as they were measured: the
/// node, copies within L2, copies of memory; a merge keeps no order of its own.
void read_row(Connection& connection, const Query& row, std::string_view run, Ceilings& ceilings) {
    ceilings.device_uuid = row.text(0);
    ceilings.driver = row.text(1);
    ceilings.measured_at = row.text(2);
    const auto kind = enum_of<CeilingKind>(connection, run, row.text(3));
    if (kind == CeilingKind::node) {
        ceilings.node_ns = figure_of(row, 6).value_or(0.0);
        return;
    }
    const std::int64_t copied = row.integer(4);
    if (const auto bytes_per_s = figure_of(row, 5); bytes_per_s && copied > 0) {
        ceilings.copies.push_back(
            {.kind = kind, .copied = Bytes{copied}, .bytes_per_s = *bytes_per_s}
        );
    }
}

constexpr const char* kSelect = "SELECT device_uuid, driver, measured_at, kind, copied_bytes, "
                                "bandwidth_bytes_per_s, time_ns FROM ceiling ";

} // namespace

void write_ceilings(
    Connection& connection, std::optional<std::int64_t> run_id, const Ceilings& ceilings
) {
    Query insert(
        connection,
        "INSERT INTO ceiling(run_id, device_uuid, driver, measured_at, kind, copied_bytes, "
        "bandwidth_bytes_per_s, time_ns) VALUES(?, ?, ?, ?, ?, ?, ?, ?)"
    );
    const auto add = [&](CeilingKind kind,
                         std::optional<std::int64_t> copied,
                         std::optional<double> bandwidth,
                         std::optional<double> time) {
        insert
            .with(
                run_id,
                ceilings.device_uuid,
                ceilings.driver,
                ceilings.measured_at,
                to_string(kind),
                copied,
                bandwidth,
                time
            )
            .run();
    };
    add(CeilingKind::node, std::nullopt, std::nullopt, ceilings.node_ns);
    for (const CopyCeiling& copy : ceilings.copies) {
        add(copy.kind, copy.copied.count, copy.bytes_per_s, std::nullopt);
    }
}

void read_ceilings(Connection& connection, std::int64_t run_id, Run& run) {
    Query rows(
        connection, std::string(kSelect) + "WHERE run_id = ? ORDER BY kind DESC, copied_bytes"
    );
    rows.with(run_id);
    while (rows.next()) {
        read_row(connection, rows, run.uuid, run.ceilings ? *run.ceilings : run.ceilings.emplace());
    }
}

void Store::add_ceilings(const Ceilings& ceilings) {
    Transaction transaction(*connection_, Transaction::Kind::write);
    write_ceilings(*connection_, std::nullopt, ceilings);
    transaction.commit();
}

std::vector<Ceilings> Store::ceilings() const {
    const Transaction snapshot(*connection_, Transaction::Kind::read);
    // Of each device and driver the set that was measured last; where several runs carry it, the
    // rows of one of them.
    Query newest(
        *connection_,
        "SELECT c.device_uuid, c.driver, c.measured_at, max(c.run_id) FROM ceiling AS c "
        "WHERE c.measured_at = (SELECT max(measured_at) FROM ceiling "
        "WHERE device_uuid = c.device_uuid AND driver = c.driver) "
        "GROUP BY c.device_uuid, c.driver ORDER BY c.measured_at DESC, c.device_uuid, c.driver"
    );
    std::vector<Ceilings> all;
    while (newest.next()) {
        Query rows(
            *connection_,
            std::string(kSelect)
                + "WHERE device_uuid = ? AND driver = ? AND measured_at = ? AND run_id IS ? "
                  "ORDER BY kind DESC, copied_bytes"
        );
        rows.with(newest.text(0), newest.text(1), newest.text(2), newest.optional_integer(3));
        Ceilings& one = all.emplace_back();
        while (rows.next()) {
            read_row(*connection_, rows, "(none)", one);
        }
    }
    return all;
}

} // namespace kvprof::db
