#include "analyzers/time_ledger.h"

#include "analyzers/step_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// One device event is placed to about this; an interval has two.
constexpr double kEventResolutionNs = 500.0;
/// Intervals are taken over batches, which are closer to independent than neighbouring steps, when
/// there are this many; else over steps.
constexpr std::size_t kFewestBatches = 5;

double real(std::int64_t value) {
    return static_cast<double>(value);
}

double real(std::chrono::nanoseconds time) {
    return real(std::int64_t{time.count()});
}

double steps_of(const PassResult& pass) {
    double steps = 0.0;
    for (const TracedBatch& batch : pass.batches) {
        steps += real(batch.steps);
    }
    return steps;
}

/// Values of each step, in the order of Run::step_records.
using StepValues = std::vector<double>;

/// Sums values of steps over batches or leaves them apart, and takes their mean.
class StepMean {
  public:
    StepMean(const Run& run, const PassResult& pass)
        : all_steps_(steps_of(pass)),
          is_by_batch_(pass.batches.size() >= kFewestBatches) {
        std::map<std::int64_t, std::size_t> index;
        for (const TracedBatch& batch : pass.batches) {
            index[batch.ordinal] = batch_steps_.size();
            batch_steps_.push_back(real(batch.steps));
        }
        for (const StepRecord& step : run.step_records) {
            const auto found = index.find(step.batch);
            batch_.push_back(found == index.end() ? batch_steps_.size() : found->second);
        }
    }

    [[nodiscard]] Estimate of(const StepValues& values) const {
        std::vector<StepGroup> groups;
        if (is_by_batch_) {
            for (const double steps : batch_steps_) {
                groups.push_back({.total = 0.0, .steps = steps});
            }
        }
        double total = 0.0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            total += values[i];
            if (!is_by_batch_) {
                groups.push_back({.total = values[i], .steps = 1.0});
            } else if (batch_[i] < groups.size()) {
                groups[batch_[i]].total += values[i];
            }
        }
        Estimate mean = mean_per_step(groups);
        mean.value = total / all_steps_; // of the steps that were timed, whatever was recorded
        return mean;
    }

  private:
    double all_steps_ = 0.0;
    bool is_by_batch_ = false;
    std::vector<double> batch_steps_;
    std::vector<std::size_t> batch_; ///< of each step record
};

template<typename Value>
StepValues each_step(const Run& run, Value&& value) {
    StepValues values;
    for (const StepRecord& step : run.step_records) {
        values.push_back(value(step));
    }
    return values;
}

/// The time after each step's last record. A batch's last step has no next one to wait for: what
/// passes until the clock stops is taken to be as long as the batch's other tails are on average.
class Tails {
  public:
    explicit Tails(const std::vector<StepRecord>& steps) {
        for (const StepRecord& step : steps) {
            if (step.tail) {
                Sum& batch = sums_[step.batch];
                batch.total += real(*step.tail);
                batch.count += 1.0;
            }
        }
    }

    /// 0 in a batch without tails.
    [[nodiscard]] double of(const StepRecord& step) const {
        if (step.tail) {
            return real(*step.tail);
        }
        const auto batch = sums_.find(step.batch);
        return batch == sums_.end() ? 0.0 : batch->second.total / batch->second.count;
    }

  private:
    struct Sum {
        double total = 0.0;
        double count = 0.0;
    };

    std::map<std::int64_t, Sum> sums_;
};

/// Lines of the ops in order of appearance; what no op claims of the records' time comes last.
std::vector<TimeLine> op_lines(const Run& run, const StepMean& mean) {
    std::map<std::int64_t, std::size_t> index;
    for (const StepRecord& step : run.step_records) {
        index.emplace(step.step, index.size());
    }
    std::vector<TimeLine> lines;
    std::vector<StepValues> values;
    StepValues rest = each_step(run, [](const StepRecord& step) { return real(step.busy_sum); });
    for (const OpSample& sample : run.op_samples) {
        const auto step = index.find(sample.step);
        if (step == index.end()) {
            continue;
        }
        const auto line = std::find_if(lines.begin(), lines.end(), [&](const TimeLine& candidate) {
            return candidate.op == sample.op && candidate.placement == sample.placement;
        });
        const auto row = static_cast<std::size_t>(line - lines.begin());
        if (line == lines.end()) {
            lines.push_back({TimePart::op, sample.op, sample.placement, {}});
            values.emplace_back(run.step_records.size(), 0.0);
        }
        values[row][step->second] += real(sample.time);
        rest[step->second] -= real(sample.time);
    }
    for (std::size_t row = 0; row < lines.size(); ++row) {
        lines[row].ns = mean.of(values[row]);
    }
    if (std::any_of(rest.begin(), rest.end(), [](double value) { return value != 0.0; })) {
        lines.push_back({TimePart::no_op, std::nullopt, std::nullopt, mean.of(rest)});
    }
    return lines;
}

std::vector<TimeLine> parts_of_records(const Run& run, const StepMean& mean) {
    std::vector<TimeLine> parts = op_lines(run, mean);
    const auto add = [&](TimePart part, auto&& value) {
        parts.push_back({part, std::nullopt, std::nullopt, mean.of(each_step(run, value))});
    };
    add(TimePart::overlap,
        [](const StepRecord& step) { return real(step.busy_union) - real(step.busy_sum); });
    add(TimePart::gap,
        [](const StepRecord& step) { return real(step.span) - real(step.busy_union); });
    const Tails tails(run.step_records);
    add(TimePart::tail, [&](const StepRecord& step) { return tails.of(step); });
    return parts;
}

/// Whether something else ran between steps: each was then timed alone, and none has a tail.
bool is_timed_apart(const Run& run, const PassResult& pass) {
    const bool has_tail =
        std::any_of(run.step_records.begin(), run.step_records.end(), [](const StepRecord& step) {
            return step.tail.has_value();
        });
    const bool has_neighbours =
        std::any_of(pass.batches.begin(), pass.batches.end(), [](const TracedBatch& batch) {
            return batch.steps > 1;
        });
    return has_neighbours && !has_tail;
}

/// What the events of each batch saw beyond its records.
std::vector<StepGroup> unexplained_groups(const Run& run, const PassResult& pass) {
    const Tails tails(run.step_records);
    std::map<std::int64_t, double> recorded;
    for (const StepRecord& step : run.step_records) {
        recorded[step.batch] += real(step.span) + tails.of(step);
    }
    std::vector<StepGroup> groups;
    for (const TracedBatch& batch : pass.batches) {
        groups.push_back(
            {.total = real(batch.gpu_time) - recorded[batch.ordinal], .steps = real(batch.steps)}
        );
    }
    return groups;
}

void add_unexplained(TimeLedger& ledger, const Run& run, const PassResult& pass) {
    double explained = 0.0;
    for (const TimeLine& part : ledger.parts) {
        explained += part.ns.value;
    }
    Estimate rest = mean_per_step(unexplained_groups(run, pass));
    rest.value = ledger.traced.value - explained;
    const double steps = steps_of(pass);
    const double intervals = is_timed_apart(run, pass) ? steps : real(ledger.batches);
    const Tails tails(run.step_records);
    const StepValues way_in =
        each_step(run, [&](const StepRecord& step) { return tails.of(step); });
    const double start = StepMean(run, pass).of(way_in).value;
    ledger.unexplained_limit =
        (2.0 * kEventResolutionNs * intervals + start * real(ledger.batches)) / steps
        + margin_of(rest);
    ledger.unexplained_per_batch = rest.value * steps / real(ledger.batches);
    ledger.parts.push_back({TimePart::unexplained, std::nullopt, std::nullopt, rest});
}

bool is_on_one_stream(const Run& run) {
    return std::all_of(run.events.begin(), run.events.end(), [&](const KernelEvent& event) {
        return event.stream == run.events.front().stream;
    });
}

std::vector<std::string> warnings_of(const TimeLedger& ledger, const Run& run) {
    std::vector<std::string> warnings;
    if (ledger.has_long_gaps) {
        warnings.push_back(fmt::format(
            "tracing makes the step {:.2f} times as long (over {}): gap sizes are the tracer's and "
            "are not to be quoted",
            *ledger.overhead(),
            TimeLedger::kMostOverhead
        ));
    }
    if (std::ssize(run.step_records) != ledger.steps) {
        warnings.push_back(fmt::format(
            "{} steps were timed and {} recorded", ledger.steps, run.step_records.size()
        ));
    }
    const auto over_span =
        std::count_if(run.step_records.begin(), run.step_records.end(), [](const StepRecord& step) {
            return step.busy_sum > step.span;
        });
    if (over_span > 0 && is_on_one_stream(run)) {
        warnings.push_back(fmt::format(
            "in {} of {} steps durations add up to more than their span on one stream: the "
            "timestamps are wrong",
            over_span,
            run.step_records.size()
        ));
    }
    if (ledger.is_finding()) {
        warnings.push_back(fmt::format(
            "{:+.2f} us of the step are unexplained, over the {:.2f} us that the clock and the "
            "batches leave open: a finding about the measurement",
            ledger.unexplained().ns.value / 1e3,
            ledger.unexplained_limit / 1e3
        ));
    }
    return warnings;
}

} // namespace

bool TimeLedger::is_finding() const {
    return std::abs(unexplained().ns.value) > unexplained_limit;
}

std::optional<double> TimeLedger::tracing_cost() const {
    return untraced ? std::optional(traced.value - untraced->value) : std::nullopt;
}

std::optional<double> TimeLedger::overhead() const {
    return untraced && untraced->value > 0.0 ? std::optional(traced.value / untraced->value)
                                             : std::nullopt;
}

std::optional<TimeLedger> time_ledger(const Run& run) {
    const PassResult* const pass = measured_pass(run, Pass::nodes);
    const std::optional<Estimate> traced = pass == nullptr ? std::nullopt : traced_step(*pass);
    if (run.status.state != RunState::complete || !traced || run.step_records.empty()) {
        return std::nullopt;
    }
    TimeLedger ledger;
    ledger.traced = *traced;
    ledger.untraced = untraced_step(run);
    ledger.steps = static_cast<std::int64_t>(steps_of(*pass));
    ledger.batches = std::ssize(pass->batches);
    std::int64_t records = 0;
    for (const StepRecord& step : run.step_records) {
        records += step.records;
    }
    ledger.records = real(records) / steps_of(*pass);
    ledger.parts = parts_of_records(run, StepMean(run, *pass));
    add_unexplained(ledger, run, *pass);
    ledger.has_long_gaps = ledger.overhead().value_or(0.0) > TimeLedger::kMostOverhead;
    ledger.warnings = warnings_of(ledger, run);
    return ledger;
}

std::string name_of(const TimeLine& line) {
    switch (line.part) {
    case TimePart::op:
        return fmt::format(
            "{} ({})",
            to_string(line.op.value_or(OpKind{})),
            to_string(line.placement.value_or(Placement{}))
        );
    case TimePart::no_op: return "records of no op";
    case TimePart::overlap: return "overlap";
    case TimePart::gap: return "gaps between records";
    case TimePart::tail: return "tail to the next step";
    case TimePart::unexplained: return "unexplained";
    }
    return {};
}

} // namespace kvprof::analyzers
