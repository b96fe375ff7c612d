#include "capture/activity/step_spans.h"

#include <algorithm>

namespace kvprof::activity {

namespace {

std::chrono::nanoseconds span_of(const StepSpan& step) {
    return between(step.start, step.end);
}

std::size_t batch_of(std::size_t step, const StepsRun& how) {
    return step / static_cast<std::size_t>(std::max<std::int64_t>(how.steps_per_batch, 1));
}

} // namespace

StepSpan step_span(std::span<const StepItem> items) {
    StepSpan times{.start = items.front().start, .records = std::ssize(items)};
    std::uint64_t busy_until = times.start;
    for (const StepItem& item : items) {
        times.busy_sum += between(item.start, item.end);
        const std::uint64_t begin = std::max(item.start, busy_until);
        if (item.end > begin) {
            times.busy_union += between(begin, item.end);
            busy_until = item.end;
        }
    }
    times.end = busy_until;
    return times;
}

std::vector<StepRecord> step_records(std::span<const StepSpan> steps, const StepsRun& how) {
    std::vector<StepRecord> records;
    records.reserve(steps.size());
    for (std::size_t step = 0; step < steps.size(); ++step) {
        StepRecord record{
            .step = static_cast<std::int64_t>(step),
            .batch = static_cast<std::int64_t>(batch_of(step, how)),
            .records = steps[step].records,
            .span = span_of(steps[step]),
            .busy_sum = steps[step].busy_sum,
            .busy_union = steps[step].busy_union};
        const std::size_t next = step + 1;
        if (next < steps.size() && batch_of(next, how) == batch_of(step, how) && !how.is_apart) {
            // Negative when the next step begins before this one has ended.
            record.tail = between(steps[step].end, steps[next].start);
        }
        records.push_back(record);
    }
    return records;
}

std::size_t batch_count(const StepsRun& how) {
    return how.steps > 0 ? batch_of(static_cast<std::size_t>(how.steps) - 1, how) + 1 : 0;
}

std::vector<std::optional<std::chrono::nanoseconds>>
recorded_of_batches(std::span<const StepSpan> steps, const StepsRun& how) {
    std::vector<std::optional<std::chrono::nanoseconds>> recorded(batch_count(how));
    std::uint64_t batch_start = 0;
    std::uint64_t batch_end = 0;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        std::optional<std::chrono::nanoseconds>& sum = recorded[batch_of(step, how)];
        if (how.is_apart) {
            sum = sum.value_or(std::chrono::nanoseconds(0)) + span_of(steps[step]);
            continue;
        }
        batch_start = sum ? std::min(batch_start, steps[step].start) : steps[step].start;
        batch_end = sum ? std::max(batch_end, steps[step].end) : steps[step].end;
        sum = between(batch_start, batch_end);
    }
    return recorded;
}

std::vector<std::size_t> steps_to_keep(std::span<const StepSpan> steps, std::int64_t count) {
    const std::size_t wanted =
        std::min(steps.size(), static_cast<std::size_t>(std::max<std::int64_t>(count, 0)));
    std::vector<std::size_t> kept;
    const auto keep = [&kept, wanted](std::size_t step) {
        if (kept.size() < wanted && std::ranges::find(kept, step) == kept.end()) {
            kept.push_back(step);
        }
    };
    if (wanted > 0) {
        keep(0);
        keep(steps.size() - 1);
        const auto longest = std::ranges::max_element(steps, {}, span_of);
        keep(static_cast<std::size_t>(longest - steps.begin()));
    }
    std::vector<std::size_t> others;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        if (std::ranges::find(kept, step) == kept.end()) {
            others.push_back(step);
        }
    }
    const std::size_t missing = wanted - kept.size();
    for (std::size_t pick = 0; pick < missing; ++pick) {
        kept.push_back(others[(2 * pick + 1) * others.size() / (2 * missing)]);
    }
    std::ranges::sort(kept);
    return kept;
}

} // namespace kvprof::activity
