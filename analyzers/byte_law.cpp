#include "analyzers/byte_law.h"

#include "analyzers/as_double.h"
#include "analyzers/time_law.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// The engine's own matrix of ids, a row a request and a column a position: every pool and backend
/// has it, and what is measured here decides nothing of it.
constexpr std::string_view kRequestMatrix = "req_to_token";

constexpr double kPadding = 0.001; ///< of the largest point

double as_count(Bytes bytes) {
    return static_cast<double>(bytes.count);
}

bool is_ledger(const MemoryStat& stat) {
    return stat.source == MemorySource::ledger;
}

const MemoryStat* find_buffer(const Run& run, const std::string& name) {
    const auto found =
        std::find_if(run.memory.begin(), run.memory.end(), [&](const MemoryStat& stat) {
            return is_ledger(stat) && stat.name == name;
        });
    return found == run.memory.end() ? nullptr : &*found;
}

/// Whether y is a straight line in x through the ends, within the padding.
bool is_straight(const std::vector<std::pair<double, double>>& points, double slope) {
    const auto [x, y] = points.front();
    double most = 0.0;
    for (const auto& point : points) {
        most = std::max(most, std::abs(point.second));
    }
    return std::all_of(points.begin(), points.end(), [&, x = x, y = y](const auto& point) {
        return std::abs(y + slope * (point.first - x) - point.second) <= kPadding * most;
    });
}

void fit_line(ByteLine& line) {
    std::vector<std::pair<double, double>> points;
    for (const ByteLine::Point& point : line.points) {
        points.emplace_back(static_cast<double>(point.value), as_count(point.bytes));
    }
    const auto [low, first] = points.front();
    const auto [high, last] = points.back();
    if (first > 0.0 && last > 0.0) {
        line.elasticity = std::log(last / first) / std::log(high / low);
    }
    const double slope = (last - first) / (high - low);
    if (is_straight(points, slope)) {
        line.slope = slope;
        line.intercept = first - slope * low;
    }
}

std::optional<ByteLine> line_of(const AxisRuns& axis, const std::string& buffer) {
    ByteLine line{.axis = axis.axis, .points = {}, .intercept = {}, .slope = {}};
    for (const Run* run : axis.runs) {
        const MemoryStat* const stat = find_buffer(*run, buffer);
        const std::int64_t value = field_of(run->step, axis.axis);
        if (stat != nullptr && (line.points.empty() || line.points.back().value != value)) {
            line.points.push_back({value, stat->bytes});
        }
    }
    if (line.points.size() < 2) {
        return std::nullopt;
    }
    fit_line(line);
    return line;
}

/// Whether the bytes are a straight line in the tokens that the pool holds, along all axes that
/// move live tokens.
bool is_of_pool(const std::vector<AxisRuns>& axes, const std::string& buffer) {
    std::vector<std::pair<double, double>> points;
    for (const AxisRuns& axis : axes) {
        for (const Run* run : axis.runs) {
            const MemoryStat* const stat = find_buffer(*run, buffer);
            if (moves_live_tokens(axis.axis) && stat != nullptr) {
                points.emplace_back(as_double(run->pool.schedulable_tokens), as_count(stat->bytes));
            }
        }
    }
    std::sort(points.begin(), points.end());
    if (points.empty() || points.front().first == points.back().first) {
        return false;
    }
    return is_straight(
        points,
        (points.back().second - points.front().second)
            / (points.back().first - points.front().first)
    );
}

std::vector<ByteSource> sources_of(const ByteLaw& law, bool is_pool) {
    const auto moves = [&](SweepAxis axis) {
        return std::any_of(law.lines.begin(), law.lines.end(), [&](const ByteLine& line) {
            return line.axis == axis && line.moves();
        });
    };
    std::vector<ByteSource> sources;
    const auto add_if = [&](bool is_so, ByteSource source) {
        if (is_so) {
            sources.push_back(source);
        }
    };
    const bool is_live = moves(SweepAxis::seq_len);
    const bool is_batch = moves(SweepAxis::batch);
    add_if((is_live || is_batch) && is_pool, ByteSource::pool);
    add_if(is_live && !is_pool, ByteSource::live_tokens);
    add_if(is_batch && !is_live && !is_pool, ByteSource::batch);
    add_if(moves(SweepAxis::max_context), ByteSource::max_context);
    add_if(moves(SweepAxis::max_batch), ByteSource::max_batch);
    add_if(moves(SweepAxis::page_size), ByteSource::page_size);
    return sources;
}

std::vector<SweepAxis> capacity_axes_of(const ByteLaw& law) {
    std::vector<SweepAxis> axes;
    if (law.most < kLeastBoundBytes || law.buffer == kRequestMatrix) {
        return axes;
    }
    for (const ByteLine& line : law.lines) {
        const bool is_capacity =
            line.axis == SweepAxis::max_context || line.axis == SweepAxis::max_batch;
        if (is_capacity && line.elasticity > kBoundElasticity) {
            axes.push_back(line.axis);
        }
    }
    return axes;
}

/// Every buffer of the ledger by its name, with its largest size.
std::map<std::string, ByteLaw> buffers_of(const std::vector<AxisRuns>& axes) {
    std::map<std::string, ByteLaw> laws;
    for (const AxisRuns& axis : axes) {
        for (const Run* run : axis.runs) {
            for (const MemoryStat& stat : run->memory) {
                if (is_ledger(stat)) {
                    ByteLaw& law = laws[stat.name];
                    law.buffer = stat.name;
                    law.group = stat.group;
                    law.most = std::max(law.most, stat.bytes);
                }
            }
        }
    }
    return laws;
}

} // namespace

bool ByteLine::moves() const {
    return std::any_of(points.begin(), points.end(), [&](const Point& point) {
        return point.bytes != points.front().bytes;
    });
}

std::vector<ByteLaw> byte_laws(const std::vector<AxisRuns>& axes) {
    std::vector<ByteLaw> sorted;
    for (auto& [name, law] : buffers_of(axes)) {
        for (const AxisRuns& axis : axes) {
            if (std::optional<ByteLine> line = line_of(axis, name)) {
                law.lines.push_back(std::move(*line));
            }
        }
        law.follows = sources_of(law, is_of_pool(axes, name));
        law.capacity_axes = capacity_axes_of(law);
        sorted.push_back(std::move(law));
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const ByteLaw& a, const ByteLaw& b) {
        return a.most > b.most;
    });
    return sorted;
}

} // namespace kvprof::analyzers
