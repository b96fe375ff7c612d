#pragma once

#include "capture/import/chunks.h"
#include "capture/import/interned.h"
#include "capture/import/names.h"
#include "capture/import/options.h"
#include "capture/import/trace_event.h"
#include "capture/model/profile.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace kvprof::import {

/// Where records of one kind come from, and whether they carry times.
struct Lane {
    EventKind kind{};
    bool has_time = true;
    std::uint32_t process = 0;
    std::uint32_t place = 0; ///< device of GPU work, thread of a call or an operator
    std::uint32_t stream = 0;

    [[nodiscard]] std::uint64_t hash() const {
        const std::uint64_t flags =
            static_cast<std::uint64_t>(kind) * 2U + static_cast<std::uint64_t>(has_time);
        const std::uint64_t who = (std::uint64_t{process} << 32U) | place;
        return mixed(who ^ mixed((std::uint64_t{stream} << 8U) | flags));
    }

    friend bool operator==(const Lane&, const Lane&) = default;
};

/// What GPU work ran; its graph node only where records are kept for a timeline.
struct Work {
    EventKind kind{};
    std::uint32_t name = 0;
    std::uint32_t shape = 0; ///< id of Recorded::shapes
    std::uint64_t node = 0;

    [[nodiscard]] std::uint64_t hash() const {
        return mixed(
            node ^ mixed(std::uint64_t{shape} << 32U)
            ^ ((std::uint64_t{name} << 8U) | static_cast<std::uint64_t>(kind)) * 0x9e3779b1U
        );
    }

    friend bool operator==(const Work&, const Work&) = default;
};

/// GPU work or a call, 24 bytes.
struct Record {
    std::int64_t start = 0;
    std::uint32_t duration = 0;    ///< key of Recorded::durations
    std::uint32_t lane = 0;        ///< id of Recorded::lanes
    std::uint32_t what = 0;        ///< id of Recorded::works, or a call's name
    std::uint32_t correlation = 0; ///< key of Recorded::correlations, or WideValues::kNone
};

/// An operator: only its time and its thread are asked for.
struct OpRecord {
    std::int64_t start = 0;
    std::uint32_t duration = 0;
    std::uint32_t lane = 0;
};

static_assert(sizeof(Record) == 24 && sizeof(OpRecord) == 16);

/// A range that may be a step.
struct Annotation {
    std::uint32_t name = 0;
    std::uint32_t process = 0;
    std::int64_t start = 0;
    std::int64_t end = 0;
};

/// All that a file said.
struct Recorded {
    ReadOptions options;
    Names names;
    Interned<Lane> lanes;
    Interned<LaunchShape> shapes;
    Interned<Work> works;
    WideValues durations;
    WideValues correlations;
    Chunks<Record> gpu;
    Chunks<Record> calls;
    Chunks<OpRecord> ops;
    std::vector<Annotation> annotations;
    std::int64_t ranges = 0;                                   ///< annotations and all others
    std::map<std::string, std::int64_t, std::less<>> rejected; ///< by reason
    std::map<std::string, ProfileWarning, std::less<>> warnings;

    ProfileSource source = ProfileSource::kineto;
    std::string writer;
    std::string rank;                             ///< of processes that are not in rank_of
    std::map<std::uint32_t, std::string> rank_of; ///< by process
    std::string gpu_name;
    std::map<std::string, Capability, std::less<>> capabilities;
    bool is_partial = false;

    template<class R>
    [[nodiscard]] std::int64_t duration(const R& record) const {
        return static_cast<std::int64_t>(durations.value_of(record.duration));
    }
};

/// a + b, held at the ends of the range: times of a broken file may be anything.
[[nodiscard]] inline std::int64_t sum_of(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) {
        return b > 0 ? std::numeric_limits<std::int64_t>::max()
                     : std::numeric_limits<std::int64_t>::min();
    }
    return sum;
}

} // namespace kvprof::import
