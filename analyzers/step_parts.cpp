#include "analyzers/step_parts.h"

#include "analyzers/as_double.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// Means of the tails of each batch.
class Tails {
  public:
    explicit Tails(const std::vector<StepRecord>& steps) {
        for (const StepRecord& step : steps) {
            if (step.tail) {
                Sum& batch = sums_[step.batch];
                batch.total += as_double(*step.tail);
                batch.count += 1.0;
            }
        }
    }

    [[nodiscard]] bool empty() const { return sums_.empty(); }

    /// Nothing in a batch without tails.
    [[nodiscard]] std::optional<double> of(const StepRecord& step) const {
        if (step.tail) {
            return as_double(*step.tail);
        }
        const auto batch = sums_.find(step.batch);
        return batch == sums_.end() ? std::nullopt
                                    : std::optional(batch->second.total / batch->second.count);
    }

  private:
    struct Sum {
        double total = 0.0;
        double count = 0.0;
    };

    std::map<std::int64_t, Sum> sums_;
};

StepPart& part_of(std::vector<StepPart>& parts, const OpSample& sample, std::size_t steps) {
    const auto found = std::find_if(parts.begin(), parts.end(), [&](const StepPart& part) {
        return part.op == sample.op && part.placement == sample.placement;
    });
    if (found != parts.end()) {
        return *found;
    }
    parts.push_back(
        {TimePart::op, sample.op, sample.placement, std::vector<std::optional<double>>(steps, 0.0)}
        // a step without the op spends none on it
    );
    return parts.back();
}

std::vector<StepPart> op_parts(const Run& run) {
    std::map<std::int64_t, std::size_t> index;
    for (const StepRecord& step : run.step_records) {
        index.emplace(step.step, index.size());
    }
    std::vector<StepPart> parts;
    for (const OpSample& sample : run.op_samples) {
        const auto step = index.find(sample.step);
        if (step == index.end()) {
            continue;
        }
        std::optional<double>& ns =
            part_of(parts, sample, run.step_records.size()).ns[step->second];
        ns = *ns + as_double(sample.time);
    }
    return parts;
}

} // namespace

std::vector<StepPart> step_parts(const Run& run) {
    std::vector<StepPart> parts = op_parts(run);
    const auto add = [&](TimePart part, auto&& value) {
        StepPart& row = parts.emplace_back();
        row.part = part;
        for (const StepRecord& step : run.step_records) {
            row.ns.push_back(value(step));
        }
    };
    add(TimePart::overlap,
        [](const StepRecord& step) { return as_double(step.busy_union - step.busy_sum); });
    add(TimePart::gap,
        [](const StepRecord& step) { return as_double(step.span - step.busy_union); });
    const Tails tails(run.step_records);
    if (!tails.empty()) {
        add(TimePart::tail, [&](const StepRecord& step) { return tails.of(step); });
    }
    return parts;
}

} // namespace kvprof::analyzers
