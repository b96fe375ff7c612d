#pragma once

#include "capture/model/run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::analyzers {

/// The least time that an op's launches can take on a device: docs/roofline.md.
struct Floor {
    CeilingKind bound{}; ///< what makes it: the nodes, or the bytes from memory or from L2
    double ns = 0.0;

    friend bool operator==(const Floor&, const Floor&) = default;
};

/// An op in one placement, as one step has it; of a run of an op alone, as one launch of the op.
struct RooflineRow {
    OpKind op{};
    Placement placement{};
    double launches = 0.0;            ///< kernels, copies and fills
    std::optional<double> bytes;      ///< that they have to move at least; unknown in older runs
    std::optional<double> time_ns;    ///< on the device; absent where nothing timed the op
    std::optional<Floor> floor;       ///< without ceilings, or without bytes, there is none
    std::optional<double> over_floor; ///< time_ns over Floor::ns
};

struct Roofline {
    std::vector<RooflineRow> rows; ///< in the order of Run::ops; empty of a run without figures
    bool is_alone = false;         ///< times are untraced ones of an op alone; else traced ones
    std::string why_no_floor;      ///< with a remedy; empty where floors are known
};

/// The floor is the greater of `launches` times the time of a node, and of the bytes over a
/// bandwidth: that of L2 where the bytes may lie in it (the copy nearest in size to a launch), else
/// the highest of device memory. 0 launches have no floor.
/// @param may_be_cached whether what is read may be in L2 when it is read
[[nodiscard]] std::optional<Floor>
floor_of(const Ceilings& ceilings, double launches, double bytes, bool may_be_cached);

[[nodiscard]] Roofline roofline_of(const Run& run);

/// Of a run of an op alone: its time over its floor; absent without either.
[[nodiscard]] std::optional<double> over_floor(const Run& run);

/// An op on two sides, medians over the runs that know it.
struct RooflineDelta {
    OpKind op{};
    Placement placement{};
    std::optional<double> base_bytes;
    std::optional<double> candidate_bytes;
    std::optional<double> base_floor_ns;
    std::optional<double> candidate_floor_ns;
    std::optional<double> base_over_floor;
    std::optional<double> candidate_over_floor;
};

/// Ops of both sides, those of the base first. Empty when no run knows its bytes.
[[nodiscard]] std::vector<RooflineDelta>
roofline_deltas(const std::vector<Run>& base, const std::vector<Run>& candidate);

} // namespace kvprof::analyzers
