#pragma once

#include "capture/model/memory_stat.h"
#include "capture/model/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::analyzers {

/// What a change between two marks says.
enum class MarkReadingKind : std::uint8_t {
    first,      ///< nothing comes before it
    counted,    ///< bytes: any non-zero change, and every change of a source that counts exactly
    cached,     ///< no memory was taken for what the ledger gained: a held block served it
    unresolved, ///< a zero of a source that moves in blocks proves nothing below the slack
};

/// One source at one mark, beside its reading at the mark before.
struct MarkChange {
    MemoryMark mark{};
    MemorySource source{};
    Bytes value;  ///< as read
    Bytes change; ///< since the mark before; for a peak, since the first mark
    MarkReadingKind kind{};

    friend bool operator==(const MarkChange&, const MarkChange&) = default;
};

/// In the order of the readings. A zero change of what the device or the process uses is `cached`
/// when the ledger grew by the slack or more meanwhile, and `unresolved` otherwise: the driver may
/// have served it from memory that it held. Without a known slack any growth of the ledger counts.
[[nodiscard]] std::vector<MarkChange>
mark_changes(const std::vector<MarkReading>& readings, std::optional<Bytes> slack);

/// "+256.0 MiB", "satisfied from a cached block", "0 B observed; unresolved below slack 2.0 MiB";
/// "-" at the first mark.
[[nodiscard]] std::string describe(const MarkChange& change, std::optional<Bytes> slack);

} // namespace kvprof::analyzers
