#include "analyzers/time_law.h"

#include "analyzers/as_double.h"
#include "analyzers/kernel_names.h"
#include "analyzers/live_token_ops.h"
#include "analyzers/pass_times.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace kvprof::analyzers {

namespace {

using Points = std::map<LawSubject, std::vector<LawPoint>>;

/// "memory-copy" of what is no kernel.
std::string family_of(const KernelStat& kernel) {
    return kernel.kind == ActivityKind::kernel ? base_kernel_name(kernel.name)
                                               : std::string(to_string(kernel.kind));
}

/// Launches of an op alone stand many to a graph; its time is that of one.
double repeats_of(const Run& run) {
    return run.measure.op.empty() ? 1.0 : as_double(run.measure.op_launches);
}

LawPoint place_of(const AxisRuns& axis, const Run& run) {
    return {.value = field_of(run.step, axis.axis), .work = work_along(axis.axis, run.step)};
}

void add_timed(const AxisRuns& axis, const Run& run, Points& points) {
    const std::optional<Estimate> step = untraced_step(run);
    if (!step) {
        return;
    }
    LawPoint point = place_of(axis, run);
    point.time_ns = step->value / repeats_of(run);
    points[{.kernel = {}, .op = parse_enum<OpKind>(run.measure.op), .placement = {}}].push_back(
        point
    );
}

void add_kernels(const AxisRuns& axis, const Run& run, Points& points) {
    const PassResult* const pass = measured_pass(run, Pass::nodes);
    if (pass == nullptr || pass->steps <= 0) {
        return;
    }
    LawPoint none = place_of(axis, run);
    none.launches = 0.0;
    std::map<LawSubject, LawPoint> of_run;
    double sum = 0.0;
    for (const KernelStat& kernel : run.kernels) {
        const LawSubject subject{family_of(kernel), kernel.op, kernel.placement};
        LawPoint& point = of_run.try_emplace(subject, none).first->second;
        point.time_ns += as_double(kernel.time);
        point.launches += as_double(kernel.launches);
        sum += as_double(kernel.time);
    }
    const double steps = as_double(pass->steps) * repeats_of(run);
    for (auto& [subject, point] : of_run) {
        if (point.time_ns > 0.0) {
            point.share = point.time_ns / sum;
            point.time_ns /= steps;
            point.launches /= steps;
            points[subject].push_back(point);
        }
    }
}

/// The shortest and the longest time of a launch, of all points.
std::pair<double, double> launch_times(const TimeLaw& law) {
    std::vector<double> times;
    for (const LawPoint& point : law.points) {
        times.push_back(point.launches > 0.0 ? point.time_ns / point.launches : point.time_ns);
    }
    const auto [shortest, longest] = std::minmax_element(times.begin(), times.end());
    return {*shortest, *longest};
}

LawFlag flag_of(const TimeLaw& law, const StepSpec& step) {
    const std::optional<OpKind> op = law.subject.op;
    if (!law.power || !op || law.most_share() <= kLeastShare) {
        return LawFlag::none;
    }
    const double elasticity = law.power->slope.value;
    const auto [shortest, longest] = launch_times(law);
    if (law.axis == SweepAxis::seq_len && elasticity < kBlindElasticity
        && follows_live_tokens(*op, law.subject.kernel, step)) {
        const bool is_at_floor = longest < kFloorNs && longest <= kFloorSpread * shortest;
        return is_at_floor ? LawFlag::at_launch_floor : LawFlag::shape_blind;
    }
    const bool is_capacity = law.axis == SweepAxis::max_context || law.axis == SweepAxis::max_batch;
    return is_capacity && elasticity > kBoundElasticity && longest >= kFloorNs
               ? LawFlag::capacity_bound
               : LawFlag::none;
}

TimeLaw law_of(SweepAxis axis, const LawSubject& subject, std::vector<LawPoint> points) {
    TimeLaw law;
    law.axis = axis;
    law.subject = subject;
    law.points = std::move(points);
    std::vector<double> work;
    std::vector<double> time;
    for (const LawPoint& point : law.points) {
        work.push_back(point.work);
        time.push_back(point.time_ns);
    }
    law.line = stats::fit_line(work, time);
    law.power = stats::fit_power(work, time);
    return law;
}

} // namespace

std::size_t TimeLaw::places() const {
    std::set<std::int64_t> values;
    for (const LawPoint& point : points) {
        values.insert(point.value);
    }
    return values.size();
}

double TimeLaw::most_share() const {
    double most = 0.0;
    for (const LawPoint& point : points) {
        most = std::max(most, point.share);
    }
    return most;
}

std::vector<TimeLaw> time_laws(const AxisRuns& axis) {
    Points points;
    for (const Run* run : axis.runs) {
        add_timed(axis, *run, points);
        add_kernels(axis, *run, points);
    }
    std::vector<TimeLaw> laws;
    for (auto& [subject, of_subject] : points) {
        TimeLaw law = law_of(axis.axis, subject, std::move(of_subject));
        law.flag = flag_of(law, axis.runs.front()->step);
        laws.push_back(std::move(law));
    }
    // What was timed comes first: it has no name and a share of all.
    std::stable_sort(laws.begin(), laws.end(), [](const TimeLaw& a, const TimeLaw& b) {
        return std::tuple(!a.subject.kernel.empty(), -a.most_share())
               < std::tuple(!b.subject.kernel.empty(), -b.most_share());
    });
    return laws;
}

} // namespace kvprof::analyzers
