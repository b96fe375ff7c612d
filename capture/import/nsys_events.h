#pragma once

#include "capture/import/nsys_places.h"
#include "capture/import/nsys_schema.h"
#include "capture/import/nsys_strings.h"
#include "capture/import/options.h"
#include "capture/import/profile_builder.h"

#include <cstdint>
#include <optional>
#include <string>

namespace kvprof::import {

/// Reads the tables of events, rows in any order. A row with a value of a wrong type is rejected.
class NsysEvents {
  public:
    NsysEvents(NsysDatabase& database, const NsysSchema& schema, ProfileBuilder& to);

    /// All tables. @throws RefusedError (missing-column, sqlite-malformed)
    void read(const ReadOptions& options);

    [[nodiscard]] std::int64_t graph_kernels() const noexcept { return graph_kernels_; }

    [[nodiscard]] std::int64_t graph_replays() const noexcept { return graph_replays_; }

    [[nodiscard]] const NsysStrings& strings() const noexcept { return strings_; }

    [[nodiscard]] NsysPlaces& places() noexcept { return places_; }

  private:
    struct WorkTable;

    void read_calls();
    void read_work(const WorkTable& work);
    void read_ranges(const ReadOptions& options);

    /// Whether the row's first columns are a time that can be one; sets it. Rejects it otherwise.
    [[nodiscard]] bool take_time(const NsysRows& rows, TraceEvent& event);
    /// The same for the columns that all GPU work has.
    [[nodiscard]] bool take_work(const NsysRows& rows, TraceEvent& event);
    [[nodiscard]] std::uint32_t name_of_work(EventKind kind, std::optional<std::int64_t> key);
    /// Whether columns from `first` up to `end` hold integers or nothing. Rejects the row
    /// otherwise.
    [[nodiscard]] bool are_integers(const NsysRows& rows, int first, int end);

    NsysDatabase& database_;
    const NsysSchema& schema_;
    ProfileBuilder& to_;
    NsysStrings strings_;
    NsysPlaces places_;
    std::int64_t graph_kernels_ = 0;
    std::int64_t graph_replays_ = 0;
};

} // namespace kvprof::import
