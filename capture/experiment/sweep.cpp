#include "capture/experiment/sweep.h"

#include "capture/model/error.h"
#include "capture/model/params.h"
#include "capture/model/units.h"
#include "capture/workload/backend.h"
#include "capture/workload/backend_rules.h"
#include "capture/workload/preset.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace kvprof::experiment {

namespace {

/// low, 4 low, 16 low, ... and at last high.
std::vector<std::int64_t> rungs(std::int64_t low, std::int64_t high) {
    constexpr std::int64_t kFactor = 4;
    std::vector<std::int64_t> values;
    for (std::int64_t value = std::max<std::int64_t>(low, 1); value < high; value *= kFactor) {
        values.push_back(value);
    }
    values.push_back(high);
    return values;
}

std::vector<std::int64_t> lengths(const StepSpec& step) {
    constexpr std::int64_t kShortest = 1024;
    constexpr std::int64_t kLongest = 131'072;
    constexpr std::int64_t kShare = 8; // a short context still gives three points
    const std::int64_t most = step.max_context - step.delta;
    return rungs(std::min(kShortest, most / kShare), std::min(kLongest, most));
}

std::vector<std::int64_t> batches(const StepSpec& step) {
    constexpr std::int64_t kMost = 256;
    return rungs(1, std::min(kMost, step.max_batch));
}

/// Capacities about `own` that hold what is live.
std::vector<std::int64_t> capacities(std::int64_t own, std::int64_t live) {
    constexpr std::int64_t kLeast = 4;
    if (own / kLeast >= live && own >= kLeast) {
        return {own / kLeast, own / 2, own};
    }
    return {own, 2 * own, 4 * own};
}

std::vector<std::int64_t> page_sizes(const StepSpec& step) {
    std::set<std::int64_t> values{1, 16, 64, step.page_size};
    const workload::Backend backend = workload::load_backend(step.attention_backend);
    std::erase_if(values, [&](std::int64_t value) {
        return !workload::takes_page_size(backend, value);
    });
    return {values.begin(), values.end()};
}

[[noreturn]] void refuse_axis(std::string_view text, const std::string& why) {
    throw UsageError(
        fmt::format("could not read --axis {}: {}", text, why),
        "write --axis AXIS=A,B,C, as in --axis seq-len=1Ki,8Ki,64Ki"
    );
}

} // namespace

SweptAxis parse_axis(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) {
        refuse_axis(text, "there are no values, AXIS=A,B,C");
    }
    SweptAxis axis;
    parse_field("axis", text.substr(0, equals), axis.axis);
    std::string_view rest = text.substr(equals + 1);
    for (bool more = true; more;) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        more = comma < rest.size();
        const std::string_view word = rest.substr(0, comma);
        rest.remove_prefix(more ? comma + 1 : comma);
        if (word.empty()) {
            refuse_axis(text, "a value is empty");
        }
        const std::int64_t value = parse_count(word, "--axis " + std::string(text));
        if (std::find(axis.values.begin(), axis.values.end(), value) != axis.values.end()) {
            refuse_axis(text, fmt::format("the value {} is there twice", value));
        }
        axis.values.push_back(value);
    }
    if (axis.values.size() < 2) {
        refuse_axis(text, "one value moves nothing");
    }
    std::sort(axis.values.begin(), axis.values.end());
    return axis;
}

StepSpec with_own_context(StepSpec step) {
    if (step.max_context == 0) {
        step.max_context = workload::load_preset(step.preset).max_context;
    }
    return step;
}

std::vector<SweptAxis> usual_axes(const StepSpec& step) {
    std::vector<SweptAxis> axes{
        {SweepAxis::seq_len, lengths(step)},
        {SweepAxis::batch, batches(step)},
        {SweepAxis::max_context, capacities(step.max_context, step.seq_len + step.delta)},
        {SweepAxis::max_batch, capacities(step.max_batch, step.batch)},
        {SweepAxis::page_size, page_sizes(step)}};
    std::erase_if(axes, [](const SweptAxis& axis) { return axis.values.size() < 2; });
    return axes;
}

std::vector<Cell> cells_of_sweep(
    const StepSpec& step, const MeasureSpec& measure, const std::vector<SweptAxis>& axes
) {
    std::set<SweepAxis> seen;
    std::vector<Cell> cells;
    for (const SweptAxis& axis : axes) {
        if (!seen.insert(axis.axis).second) {
            throw UsageError(
                fmt::format("could not sweep \"{}\": it is swept twice", to_string(axis.axis)),
                fmt::format("list all its values once: --axis {}=A,B,C", to_string(axis.axis))
            );
        }
        for (const std::int64_t value : axis.values) {
            Cell cell{
                .variant = fmt::format("{}={}", to_string(axis.axis), value),
                .step = step,
                .measure = measure,
                .program = {}};
            field_of(cell.step, axis.axis) = value;
            const bool is_there = std::any_of(cells.begin(), cells.end(), [&](const Cell& other) {
                return other.step == cell.step;
            });
            if (!is_there) {
                cells.push_back(std::move(cell));
            }
        }
    }
    return cells;
}

} // namespace kvprof::experiment
