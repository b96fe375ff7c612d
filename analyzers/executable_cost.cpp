#include "analyzers/executable_cost.h"

#include "stats/quantiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace kvprof::analyzers {

namespace {

/// Slope of the least-squares line. @pre three points or more, of different x
BytesEstimate slope(std::span<const ExecutablePoint> points) {
    const double n = static_cast<double>(points.size());
    double mean_x = 0.0;
    double mean_y = 0.0;
    for (const ExecutablePoint& point : points) {
        mean_x += static_cast<double>(point.executables) / n;
        mean_y += static_cast<double>(point.taken.count) / n;
    }
    double xx = 0.0;
    double xy = 0.0;
    double yy = 0.0;
    for (const ExecutablePoint& point : points) {
        const double x = static_cast<double>(point.executables) - mean_x;
        const double y = static_cast<double>(point.taken.count) - mean_y;
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    const double value = xy / xx;
    const double residual = std::max(yy - value * xy, 0.0); // rounding can leave it below 0
    const double error = std::sqrt(residual / (n - 2.0) / xx);
    const double reach = stats::student_t(points.size() - 2, 0.975) * error;
    return {value, value - reach, value + reach};
}

BytesEstimate divided(const BytesEstimate& estimate, double by) {
    return {estimate.value / by, estimate.low / by, estimate.high / by};
}

std::string bytes_text(double bytes) {
    return format_bytes(Bytes{std::llround(bytes)});
}

std::string slack_text(std::optional<Bytes> slack) {
    return slack ? fmt::format("unresolved below slack {}", format_bytes(*slack))
                 : std::string("unresolved (slack unknown)");
}

} // namespace

ExecutableCost executable_cost(const std::vector<ExecutablePoint>& points) {
    ExecutableCost cost;
    if (points.empty()) {
        return cost;
    }
    cost.kernel_nodes = points.back().kernel_nodes;
    cost.most = points.back().executables;
    cost.taken = points.back().taken;
    const Bytes first = points.front().taken;
    const auto moved = std::find_if(points.begin(), points.end(), [&](const ExecutablePoint& p) {
        return p.taken != first;
    });
    if (first == Bytes{}) {
        cost.served = std::prev(moved)->executables;
    }
    if (moved == points.end()) {
        return cost;
    }
    const std::span<const ExecutablePoint> line(std::prev(moved), points.end());
    cost.points = static_cast<std::int64_t>(line.size());
    if (line.size() >= 3) {
        cost.each = slope(line);
        if (cost.kernel_nodes > 0) {
            cost.each_node = divided(*cost.each, static_cast<double>(cost.kernel_nodes));
        }
    }
    return cost;
}

std::string describe(const ExecutableCost& cost, std::optional<Bytes> slack) {
    if (cost.most == 0) {
        return "not measured";
    }
    if (!cost.each) {
        const std::string why =
            cost.points == 0 ? slack_text(slack) : "too few points moved for a slope";
        return fmt::format(
            "{} observed for {} executables; {}", format_bytes(cost.taken), cost.most, why
        );
    }
    std::string text = fmt::format(
        "{} each ({} .. {})",
        bytes_text(cost.each->value),
        bytes_text(cost.each->low),
        bytes_text(cost.each->high)
    );
    if (cost.each_node) {
        text += fmt::format(
            ", {} a node of {}", bytes_text(cost.each_node->value), format_count(cost.kernel_nodes)
        );
    }
    if (cost.served > 0) {
        text += fmt::format("; the first {} showed 0 B: slack absorbed them", cost.served);
    }
    return text;
}

} // namespace kvprof::analyzers
