#include "analyzers/memory_marks.h"

#include <fmt/format.h>

#include <map>

namespace kvprof::analyzers {

namespace {

/// Sources that move in the driver's blocks, and stand still while it serves from what it holds.
bool moves_in_blocks(MemorySource source) {
    switch (source) {
    case MemorySource::device_free:
    case MemorySource::device_free_peak:
    case MemorySource::device_used_nvml:
    case MemorySource::process_used_nvml: return true;
    case MemorySource::ledger:
    case MemorySource::model:
    case MemorySource::graph_used:
    case MemorySource::graph_used_high:
    case MemorySource::graph_reserved:
    case MemorySource::graph_reserved_high:
    case MemorySource::pool_used:
    case MemorySource::pool_reserved:
    case MemorySource::host_resident: return false;
    }
    return false;
}

/// What each source read at the mark before.
using Values = std::map<MemorySource, Bytes>;

/// Growth of the ledger from the mark before to each mark; the first has none.
std::map<MemoryMark, Bytes> ledger_growth(const std::vector<MarkReading>& readings) {
    std::map<MemoryMark, Bytes> growth;
    std::optional<Bytes> before;
    for (const MarkReading& reading : readings) {
        if (reading.source == MemorySource::ledger) {
            growth[reading.mark] = reading.bytes - before.value_or(reading.bytes);
            before = reading.bytes;
        }
    }
    return growth;
}

MarkReadingKind kind_of(const MarkChange& change, Bytes ledger_growth, std::optional<Bytes> slack) {
    if (change.change != Bytes{} || !moves_in_blocks(change.source)) {
        return MarkReadingKind::counted;
    }
    const Bytes least = slack.value_or(Bytes{1});
    return ledger_growth > Bytes{} && ledger_growth >= least ? MarkReadingKind::cached
                                                             : MarkReadingKind::unresolved;
}

} // namespace

std::vector<MarkChange>
mark_changes(const std::vector<MarkReading>& readings, std::optional<Bytes> slack) {
    std::map<MemoryMark, Bytes> growth = ledger_growth(readings);
    Values before;
    std::vector<MarkChange> changes;
    for (const MarkReading& reading : readings) {
        MarkChange change{reading.mark, reading.source, reading.bytes, Bytes{}, {}};
        const bool is_peak = reading.source == MemorySource::device_free_peak;
        if (is_peak || before.contains(reading.source)) {
            // A peak counts from the first mark already.
            change.change = is_peak ? reading.bytes : reading.bytes - before[reading.source];
            change.kind = kind_of(change, is_peak ? Bytes{} : growth[reading.mark], slack);
        }
        before[reading.source] = reading.bytes;
        changes.push_back(change);
    }
    return changes;
}

std::string describe(const MarkChange& change, std::optional<Bytes> slack) {
    switch (change.kind) {
    case MarkReadingKind::first: return "-";
    case MarkReadingKind::counted:
        return (change.change > Bytes{} ? "+" : "") + format_bytes(change.change);
    case MarkReadingKind::cached: return "satisfied from a cached block";
    case MarkReadingKind::unresolved:
        return slack ? fmt::format("0 B observed; unresolved below slack {}", format_bytes(*slack))
                     : std::string("0 B observed; unresolved (slack unknown)");
    }
    return {};
}

} // namespace kvprof::analyzers
