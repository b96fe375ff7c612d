#pragma once

#include "analyzers/sweep_points.h"
#include "capture/model/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::analyzers {

/// Bytes of a buffer along one axis. They are what was asked for: exact, without an interval.
struct ByteLine {
    struct Point {
        std::int64_t value = 0; ///< of the axis
        Bytes bytes;
    };

    SweepAxis axis{};
    std::vector<Point> points; ///< one a value, in rising order
    /// bytes = intercept + slope * value, where that is so within 0.1 % of the largest (padding).
    std::optional<double> intercept;
    std::optional<double> slope;
    double elasticity = 0.0; ///< d ln bytes / d ln value between both ends

    [[nodiscard]] bool moves() const;
};

/// What the bytes of a buffer follow. Where the pool is as large as the lanes need, it moves with
/// live tokens; --pool-tokens keeps them apart.
enum class ByteSource : std::uint8_t {
    pool,
    live_tokens,
    batch,
    max_context,
    max_batch,
    page_size
};

/// How large one buffer of the ledger is.
struct ByteLaw {
    std::string buffer;
    std::string group;
    Bytes most;                      ///< at any point
    std::vector<ByteLine> lines;     ///< of each axis on which two values have it
    std::vector<ByteSource> follows; ///< empty: constant
    /// Axes of capacity that the bytes follow while live tokens stay; empty: not capacity-bound.
    std::vector<SweepAxis> capacity_axes;

    [[nodiscard]] bool is_capacity_bound() const { return !capacity_axes.empty(); }
};

/// Smaller buffers are not worth a flag: a few words a lane are never missed.
inline constexpr Bytes kLeastBoundBytes{std::int64_t{1} << 20};

/// Laws of all buffers of the ledger, by falling size.
[[nodiscard]] std::vector<ByteLaw> byte_laws(const std::vector<AxisRuns>& axes);

} // namespace kvprof::analyzers

template<>
struct kvprof::EnumNames<kvprof::analyzers::ByteSource> {
    static constexpr std::array values{
        std::pair{kvprof::analyzers::ByteSource::pool, "pool"},
        std::pair{kvprof::analyzers::ByteSource::live_tokens, "live-tokens"},
        std::pair{kvprof::analyzers::ByteSource::batch, "batch"},
        std::pair{kvprof::analyzers::ByteSource::max_context, "max-context"},
        std::pair{kvprof::analyzers::ByteSource::max_batch, "max-batch"},
        std::pair{kvprof::analyzers::ByteSource::page_size, "page-size"}};
};
