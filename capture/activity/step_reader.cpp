#include "capture/activity/step_reader.h"

#include <algorithm>
#include <array>
#include <utility>

namespace kvprof::activity {

namespace {

void add_op_samples(
    std::span<const StepItem> items, std::size_t step, std::vector<OpSample>& samples
) {
    std::array<std::uint32_t, kOpSlots> sample_of{};
    sample_of.fill(kNoIndex);
    for (const StepItem& item : items) {
        std::uint32_t& index = sample_of[item.op];
        if (index == kNoIndex) {
            index = static_cast<std::uint32_t>(samples.size());
            samples.push_back(
                {.step = static_cast<std::int64_t>(step),
                 .op = op_of(item.op),
                 .placement = placement_of(item.op)}
            );
        }
        ++samples[index].records;
        samples[index].time += between(item.start, item.end);
    }
}

} // namespace

RecordsByStep group_by_step(const std::vector<std::uint32_t>& step_of, std::size_t steps) {
    RecordsByStep grouped;
    grouped.begin.resize(steps + 1);
    for (const std::uint32_t step : step_of) {
        if (step != kNoIndex) {
            ++grouped.begin[step + 1];
        }
    }
    for (std::size_t step = 0; step < steps; ++step) {
        grouped.begin[step + 1] += grouped.begin[step];
    }
    grouped.order.resize(grouped.begin.back());
    std::vector<std::size_t> next = grouped.begin;
    for (std::size_t record = 0; record < step_of.size(); ++record) {
        if (step_of[record] != kNoIndex) {
            grouped.order[next[step_of[record]]++] = static_cast<std::uint32_t>(record);
        }
    }
    return grouped;
}

StepReader::StepReader(const Recording& recording, const StepsRun& how, Attribution& attribution)
    : recording_(recording),
      how_(how),
      attribution_(attribution),
      kernels_(recording.shapes) {}

void StepReader::read(const RecordsByStep& grouped, Joined& joined) {
    for (std::size_t step = 0; step + 1 < grouped.begin.size(); ++step) {
        const std::span<const StepItem> items = load(grouped, step);
        times_.push_back(step_span(items));
        add_kernels(items, step);
        add_op_samples(items, step, joined.op_samples);
    }
    joined.steps = step_records(times_, how_);
    joined.recorded = recorded_of_batches(times_, how_);
    add_events(grouped, joined.events);
    joined.kernels = kernels_.take();
}

std::span<const StepItem> StepReader::load(const RecordsByStep& grouped, std::size_t step) {
    items_.clear();
    for (std::size_t at = grouped.begin[step]; at < grouped.begin[step + 1]; ++at) {
        const Record& record = recording_.records[grouped.order[at]];
        items_.push_back({record.start, record.end, grouped.order[at], attribution_.of(record).op});
    }
    const auto by_start = [](const StepItem& left, const StepItem& right) {
        return std::pair(left.start, left.end) < std::pair(right.start, right.end);
    };
    if (!std::ranges::is_sorted(items_, by_start)) {
        std::ranges::sort(items_, by_start);
    }
    return items_;
}

void StepReader::add_kernels(std::span<const StepItem> items, std::size_t step) {
    for (const StepItem& item : items) {
        const Record& record = recording_.records[item.record];
        const std::uint32_t kernel = kernels_.index_of(item.op, record.shape);
        kernels_.add(kernel, between(item.start, item.end));
        if (kernels_.wants_live_blocks(kernel)) {
            kernels_.add_live_blocks(kernel, live_blocks(record, step));
        }
    }
}

std::optional<std::int64_t> StepReader::live_blocks(const Record& record, std::size_t step) {
    if (!how_.live_blocks) {
        return std::nullopt;
    }
    const Tag tag = attribution_.tag_of(record, attribution_.of(record));
    return how_.live_blocks(how_.first_step + static_cast<std::int64_t>(step), tag);
}

void StepReader::add_events(const RecordsByStep& grouped, std::vector<KernelEvent>& events) {
    std::uint64_t origin = 0;
    for (const std::size_t step : steps_to_keep(times_, how_.keep_events)) {
        if (events.empty()) {
            origin = times_[step].start;
        }
        for (const StepItem& item : load(grouped, step)) {
            const Record& record = recording_.records[item.record];
            events.push_back(
                {.step = static_cast<std::int64_t>(step),
                 .kernel = kernels_.index_of(item.op, record.shape),
                 .stream = record.stream,
                 .node = record.node,
                 .start = between(origin, item.start),
                 .duration = between(item.start, item.end)}
            );
        }
    }
}

} // namespace kvprof::activity
