#include "analyzers/time_ledger.h"

#include "analyzers/as_double.h"
#include "analyzers/pass_times.h"

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

/// Values of each step, in the order of Run::step_records; what is not known adds nothing.
using StepValues = std::vector<std::optional<double>>;

/// Sums values of steps over batches or leaves them apart, and takes their mean.
class StepMean {
  public:
    StepMean(const Run& run, const PassResult& pass)
        : all_steps_(as_double(timed_steps(pass))),
          is_by_batch_(pass.batches.size() >= kFewestBatches) {
        std::map<std::int64_t, std::size_t> index;
        for (const TracedBatch& batch : pass.batches) {
            index[batch.ordinal] = batch_steps_.size();
            batch_steps_.push_back(as_double(batch.steps));
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
            const double value = values[i].value_or(0.0);
            total += value;
            if (!is_by_batch_) {
                groups.push_back({.total = value, .steps = 1.0});
            } else if (batch_[i] < groups.size()) {
                groups[batch_[i]].total += value;
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

bool has_neighbours(const PassResult& pass) {
    return std::any_of(pass.batches.begin(), pass.batches.end(), [](const TracedBatch& batch) {
        return batch.steps > 1;
    });
}

/// What the events of each batch saw beyond its records.
std::vector<StepGroup>
unexplained_groups(const Run& run, const PassResult& pass, const std::vector<StepPart>& parts) {
    std::map<std::int64_t, double> recorded;
    for (const StepPart& part : parts) {
        for (std::size_t i = 0; i < part.ns.size(); ++i) {
            recorded[run.step_records[i].batch] += part.ns[i].value_or(0.0);
        }
    }
    std::vector<StepGroup> groups;
    for (const TracedBatch& batch : pass.batches) {
        groups.push_back(
            {.total = as_double(batch.gpu_time) - recorded[batch.ordinal],
             .steps = as_double(batch.steps)}
        );
    }
    return groups;
}

/// What the parts leave of the traced step, as the last part.
void add_unexplained(TimeLedger& ledger, const PassResult& pass, Estimate rest) {
    double explained = 0.0;
    std::optional<double> tail;
    for (const TimeLine& line : ledger.parts) {
        explained += line.ns.value;
        if (line.part == TimePart::tail) {
            tail = line.ns.value;
        }
    }
    const double steps = as_double(ledger.steps);
    const double batches = as_double(ledger.batches);
    // Neighbours without a tail: something else ran between them, and each was timed alone.
    const double intervals = has_neighbours(pass) && !tail ? steps : batches;
    ledger.unexplained_limit =
        (2.0 * kEventResolutionNs * intervals + tail.value_or(0.0) * batches) / steps
        + margin_of(rest);
    rest.value = ledger.traced.value - explained;
    ledger.unexplained_per_batch = rest.value * steps / batches;
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
    ledger.steps = timed_steps(*pass);
    ledger.batches = std::ssize(pass->batches);
    std::int64_t records = 0;
    for (const StepRecord& step : run.step_records) {
        records += step.records;
    }
    ledger.records = as_double(records) / as_double(ledger.steps);
    const std::vector<StepPart> parts = step_parts(run);
    const StepMean mean(run, *pass);
    for (const StepPart& part : parts) {
        Estimate ns = mean.of(part.ns);
        if (part.part != TimePart::overlap && ns.interval) {
            ns.interval->low = std::max(ns.interval->low, 0.0); // no time runs backwards
        }
        ledger.parts.push_back({part.part, part.op, part.placement, ns});
    }
    add_unexplained(ledger, *pass, mean_per_step(unexplained_groups(run, *pass, parts)));
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
    case TimePart::overlap: return "overlap";
    case TimePart::gap: return "gaps between records";
    case TimePart::tail: return "tail to the next step";
    case TimePart::unexplained: return "unexplained";
    }
    return {};
}

} // namespace kvprof::analyzers
