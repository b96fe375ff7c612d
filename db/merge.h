#pragma once

#include "db/store.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace kvprof::db {

/// Something of the other store that was not taken over, because the receiving store holds
/// something else in its place and keeps it.
struct MergeConflict {
    /// experiment: of one uuid, with other heads; its runs stay out too. run: of one uuid, with
    /// other content, or in another experiment. tag: names something else here. tag and baseline
    /// too: what they name is one of the above.
    enum class Kind : std::uint8_t { experiment, run, tag, baseline };

    Kind kind = Kind::run;
    std::string name;       ///< uuid, or the name of the tag or baseline
    std::string experiment; ///< uuid, of a run and of an experiment; else empty
    std::string cause;      ///< "its samples differ"

    friend bool operator==(const MergeConflict&, const MergeConflict&) = default;
};

/// How many of one kind the other store added, and how many the receiving one had already.
struct MergeCount {
    std::int64_t added = 0;
    std::int64_t known = 0;

    friend bool operator==(const MergeCount&, const MergeCount&) = default;
};

/// What became of each thing that the other store holds: it is added, known or a conflict.
struct MergeResult {
    MergeCount experiments;
    MergeCount runs;
    MergeCount tags;
    MergeCount baselines;                 ///< revisions
    std::int64_t states_updated = 0;      ///< known experiments that have ended since
    std::int64_t events_added = 0;        ///< known runs that got the events that they lacked
    std::vector<MergeConflict> conflicts; ///< in the order of the other store

    friend bool operator==(const MergeResult&, const MergeResult&) = default;
};

/// How long a store that merges should wait for another writer: a merge of thousands of runs is one
/// transaction.
inline constexpr std::chrono::milliseconds kMergeLockWait{60'000};

/// Adds what another store holds, all or nothing: experiments, runs that an experiment lacks, their
/// events, tags, and revisions of baselines (numbered anew by the time at which they were set, so
/// that the one set last holds). Rows are copied as they are stored; a second merge adds nothing. A
/// run that differs only in that one of both has no events is known. The state of an experiment
/// only moves on: running, interrupted, complete.
/// @throws UsageError when both are one file. @throws StoreError when one of them can not be used;
/// then nothing was added.
MergeResult merge(Store& into, const Store& from);

} // namespace kvprof::db
