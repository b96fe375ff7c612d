#pragma once

#include "capture/model/enum_names.h"
#include "capture/model/units.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace kvprof {

/// What bounds the speed of a kernel: the device's memory, its L2 cache, or that a node of a graph
/// takes time at all.
enum class CeilingKind : std::uint8_t { node, hbm, l2 };

template<>
struct EnumNames<CeilingKind> {
    static constexpr std::array values{
        std::pair{CeilingKind::node, "node"},
        std::pair{CeilingKind::hbm, "hbm"},
        std::pair{CeilingKind::l2, "l2"}};
};

/// A copy within the device, as a node of a replayed graph.
struct CopyCeiling {
    CeilingKind kind = CeilingKind::hbm;
    Bytes copied;             ///< read, and as many written
    double bytes_per_s = 0.0; ///< read and written, over the node's share of the replay

    friend bool operator==(const CopyCeiling&, const CopyCeiling&) = default;
};

/// What a device reached at most when it was asked for nothing else: the roof of a roofline. A fact
/// of the device under one driver; docs/roofline.md says how it is measured.
struct Ceilings {
    std::string device_uuid;
    std::string driver;
    std::string measured_at; ///< UTC, ISO 8601
    double node_ns = 0.0;    ///< a kernel of one block that does nothing, as one of 64 nodes
    std::vector<CopyCeiling> copies;

    friend bool operator==(const Ceilings&, const Ceilings&) = default;
};

} // namespace kvprof
