#pragma once

#include "capture/model/run.h"
#include "db/store.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::db {

/// What a reference of the command line names: runs of one store.
struct Selection {
    std::string reference;       ///< as it was written
    std::filesystem::path store; ///< the file that holds the experiment
    std::string experiment;      ///< uuid; empty: the runs are of several, which a baseline holds
    /// uuids, in the order in which they were measured; empty only when the reference names an
    /// experiment that has no runs.
    std::vector<std::string> runs;

    friend bool operator==(const Selection&, const Selection&) = default;
};

/// Resolves a reference against one store:
///
///     @latest  @latest~2        experiments, newest first
///     4f0c9a                    prefix of an experiment's or run's uuid, 6 hex digits at least
///     NAME                      tag, or label of an experiment (the newest that carries it)
///     tag:NAME label:NAME id:PREFIX   the same, when one word could be several of them
///     baseline/NAME             the runs that the baseline's current revision holds
///     REF/batch=8,index-mode=stream   the runs of REF whose fields have these values
///     REF/side=a                the runs of one side of an A/B experiment; side=b,batch=8
///
/// Runs of any state are named: whoever computes from them leaves out those that do not count.
/// @throws UsageError when nothing matches (with the nearest known name and the number of stored
/// experiments), or when several do (listing them), or for a side of runs that stand on none.
[[nodiscard]] Selection resolve(const Store& store, std::string_view reference);

/// As resolve(), and takes a database file too, for the newest experiment in it (a calibration only
/// when there is nothing else); a file wins over a name. `default_store` is opened for reading, and
/// only when the reference is no file.
/// @throws UsageError when that store does not exist yet.
[[nodiscard]] Selection
select(const std::filesystem::path& default_store, std::string_view reference);

} // namespace kvprof::db
