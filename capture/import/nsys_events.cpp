#include "capture/import/nsys_events.h"

#include "capture/import/nsys_ranges.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

namespace kvprof::import {

namespace {

constexpr std::int64_t kLongest = std::int64_t{7} * 24 * 3600 * 1'000'000'000; // ns
constexpr std::int64_t kFarthest = 4'000'000'000'000'000'000; // ns: a difference of two still fits
constexpr std::int64_t kBacktrace = 67; // eventClass: a second row of a call, for its backtrace

/// Places of the columns in a SELECT of GPU work.
enum WorkColumn : int {
    kStart,
    kEnd,
    kPid,
    kDevice,
    kStream,
    kCorrelation,
    kNode,
    kBytes,
    kKey,
    kWorkEnd,
    kGrid = kWorkEnd, ///< x, y, z; then those of the block
    kBlock = kGrid + 3
};

std::optional<std::int64_t> integer_of(const NsysRows& rows, int column) {
    return rows.is_null(column) ? std::nullopt : std::optional(rows.integer(column));
}

/// Three columns; 0 stands for what is no size. A shape does not decide whether a row counts.
std::array<std::uint32_t, 3> sizes_of(const NsysRows& rows, int first) {
    std::array<std::uint32_t, 3> sizes{};
    for (std::uint32_t& size : sizes) {
        const std::int64_t value = rows.is_integer(first) ? rows.integer(first) : 0;
        size = std::in_range<std::uint32_t>(value) ? static_cast<std::uint32_t>(value) : 0;
        ++first;
    }
    return sizes;
}

/// Of CUpti_ActivityMemcpyKind; 11 to 13 are moves of unified memory.
std::string_view copy_name(std::int64_t kind) {
    constexpr std::array<std::string_view, 14> kNames{
        "Memcpy",
        "Memcpy HtoD",
        "Memcpy DtoH",
        "Memcpy HtoA",
        "Memcpy AtoH",
        "Memcpy AtoA",
        "Memcpy AtoD",
        "Memcpy DtoA",
        "Memcpy DtoD",
        "Memcpy HtoH",
        "Memcpy PtoP",
        "Memcpy HtoD (unified)",
        "Memcpy DtoH (unified)",
        "Memcpy DtoD (unified)"};
    const bool is_known = kind > 0 && static_cast<std::size_t>(kind) < kNames.size();
    return kNames.at(is_known ? static_cast<std::size_t>(kind) : 0);
}

} // namespace

/// A table of GPU work. Its key says what ran: a StringId, a kind of copy, a graph.
struct NsysEvents::WorkTable {
    EventKind kind{};
    std::string_view name;
    std::string_view key;
    std::string_view other_key; ///< where there is no `key`
};

NsysEvents::NsysEvents(NsysDatabase& database, const NsysSchema& schema, ProfileBuilder& to)
    : database_(database),
      schema_(schema),
      to_(to),
      strings_(database, schema, to.names()),
      places_(database, schema, to.names()) {}

void NsysEvents::read(const ReadOptions& options) {
    read_calls(); // first: GPU work without a process takes that of the calls
    read_work({EventKind::kernel, "CUPTI_ACTIVITY_KIND_KERNEL", "demangledName", "shortName"});
    read_work({EventKind::memory_copy, "CUPTI_ACTIVITY_KIND_MEMCPY", "copyKind", ""});
    read_work({EventKind::memory_set, "CUPTI_ACTIVITY_KIND_MEMSET", "", ""});
    read_work({EventKind::graph_replay, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "graphExecId", "graphId"}
    );
    read_ranges(options);
}

bool NsysEvents::are_integers(const NsysRows& rows, int first, int end) {
    for (int column = first; column < end; ++column) {
        if (!rows.is_integer(column) && !rows.is_null(column)) {
            to_.reject("rejected-events");
            return false;
        }
    }
    return true;
}

bool NsysEvents::take_time(const NsysRows& rows, TraceEvent& event) {
    const std::int64_t start = rows.integer(kStart);
    const std::int64_t end = rows.integer(kEnd);
    const bool is_near = start >= -kFarthest && start <= kFarthest;
    if (!rows.is_integer(kStart) || !rows.is_integer(kEnd) || !is_near) {
        to_.reject("rejected-events");
    } else if (end < start) {
        to_.reject("negative-duration");
    } else if (end > start + kLongest) {
        to_.reject("absurd-duration");
    } else {
        event.start_ns = start;
        event.duration_ns = end - start;
        event.has_time = start != 0 || end != 0;
        return true;
    }
    return false;
}

bool NsysEvents::take_work(const NsysRows& rows, TraceEvent& event) {
    if (!are_integers(rows, kPid, kWorkEnd) || !take_time(rows, event)) {
        return false;
    }
    const auto pid = integer_of(rows, kPid);
    event.process = places_.process(pid);
    event.device = places_.device(pid, integer_of(rows, kDevice));
    event.stream = places_.stream(integer_of(rows, kStream));
    if (const auto correlation = integer_of(rows, kCorrelation)) {
        event.correlation = static_cast<std::uint64_t>(*correlation);
    }
    event.graph_node = static_cast<std::uint64_t>(integer_of(rows, kNode).value_or(0));
    event.bytes = integer_of(rows, kBytes).value_or(0);
    return true;
}

void NsysEvents::read_calls() {
    enum : int { kTid = 2, kId, kNameId, kClass, kCallEnd };

    const auto table = schema_.find("CUPTI_ACTIVITY_KIND_RUNTIME"); // the driver's calls, too
    if (!table) {
        return;
    }
    NsysRows rows(
        database_,
        schema_.select(
            *table,
            {{"start", true},
             {"end", true},
             {"globalTid"},
             {"correlationId"},
             {"nameId", true},
             {"eventClass"}}
        )
    );
    TraceEvent event;
    event.kind = EventKind::api;
    while (rows.next()) {
        if (rows.is_integer(kClass) && rows.integer(kClass) == kBacktrace) {
            continue;
        }
        if (!are_integers(rows, kTid, kCallEnd) || !take_time(rows, event)) {
            continue;
        }
        const auto tid = integer_of(rows, kTid);
        event.process = places_.caller(tid);
        event.thread = places_.thread(tid);
        const auto correlation = integer_of(rows, kId);
        event.correlation =
            correlation ? std::optional(static_cast<std::uint64_t>(*correlation)) : std::nullopt;
        const auto name = integer_of(rows, kNameId);
        event.name = name ? strings_.call_of(*name) : strings_.unknown();
        to_.add(event);
    }
}

void NsysEvents::read_work(const WorkTable& work) {
    const auto table = schema_.find(work.name);
    if (!table) {
        return;
    }
    NsysRows rows(
        database_,
        schema_.select(
            *table,
            {{"start", true},
             {"end", true},
             {"globalPid"},
             {"deviceId"},
             {"streamId"},
             {"correlationId"},
             {"graphNodeId"},
             {"bytes"},
             {table->has(work.key) ? work.key : work.other_key},
             {"gridX"},
             {"gridY"},
             {"gridZ"},
             {"blockX"},
             {"blockY"},
             {"blockZ"}}
        )
    );
    while (rows.next()) {
        TraceEvent event;
        event.kind = work.kind;
        if (take_work(rows, event)) {
            event.name = name_of_work(work.kind, integer_of(rows, kKey));
            if (work.kind == EventKind::kernel) {
                event.shape = {.grid = sizes_of(rows, kGrid), .block = sizes_of(rows, kBlock)};
            }
            graph_kernels_ += work.kind == EventKind::kernel && event.graph_node != 0 ? 1 : 0;
            graph_replays_ += work.kind == EventKind::graph_replay ? 1 : 0;
            to_.add(event);
        }
    }
}

std::uint32_t NsysEvents::name_of_work(EventKind kind, std::optional<std::int64_t> key) {
    switch (kind) {
    case EventKind::kernel: return key ? strings_.name_of(*key) : strings_.unknown();
    case EventKind::memory_copy: return to_.names().id_of(copy_name(key.value_or(0)));
    case EventKind::memory_set: return to_.names().id_of("Memset");
    case EventKind::graph_replay:
    case EventKind::api:
    case EventKind::cpu_op:
    case EventKind::annotation: break;
    }
    // Which graph it was: where a step is several graphs, their order tells.
    return to_.names().id_of(key ? fmt::format("graph {}", *key) : std::string("graph"));
}

void NsysEvents::read_ranges(const ReadOptions& options) {
    enum : int { kTid = 2, kType, kTextId, kText };

    constexpr std::int64_t kPushPop = 59;
    const auto table = schema_.find("NVTX_EVENTS");
    if (!table || !may_have_steps(options)) {
        return;
    }
    NsysRows rows(
        database_,
        schema_.select(
            *table,
            {{"start", true}, {"end", true}, {"globalTid"}, {"eventType"}, {"textId"}, {"text"}}
        )
    );
    RangeNames names(strings_, options);
    while (rows.next()) {
        const bool is_range = rows.is_null(kType) || rows.integer(kType) == kPushPop;
        if (!is_range || rows.is_null(kEnd)) {
            continue; // marks, and ranges that were open when the capture ended
        }
        const auto name = rows.is_text(kText)     ? names.of_text(rows.text(kText))
                          : rows.is_null(kTextId) ? std::nullopt
                                                  : names.of_id(rows.integer(kTextId));
        if (!name) {
            to_.add_other_range();
        }
        TraceEvent event;
        event.kind = EventKind::annotation;
        if (!name || !are_integers(rows, kTid, kText) || !take_time(rows, event)) {
            continue;
        }
        const auto tid = integer_of(rows, kTid);
        event.name = *name;
        event.process = places_.process(tid);
        event.thread = places_.thread(tid);
        to_.add(event);
    }
}

} // namespace kvprof::import
