#include "capture/launch_check.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>

namespace kvprof {

namespace {

using Key = std::pair<OpKind, Placement>;

/// Launches, and copies with fills.
struct Work {
    std::int64_t launches = 0;
    std::int64_t copies = 0;

    friend bool operator==(const Work&, const Work&) = default;
};

using WorkByOp = std::map<Key, Work>;

WorkByOp planned_work(const workload::StepCounts& planned) {
    WorkByOp work;
    for (const OpStat& stat : planned.ops) {
        Work& one = work[{stat.op, stat.placement}];
        one.launches += stat.launches;
        one.copies += stat.copies;
    }
    return work;
}

/// An op of which the driver or the device saw another amount than the plan has.
template<typename Amount>
struct Difference {
    Key op;
    Amount seen{};
    Amount meant{};
};

/// The first op that differs; an op that one side lacks counts there as nothing.
template<typename Amount>
std::optional<Difference<Amount>>
first_difference(std::map<Key, Amount> seen, std::map<Key, Amount> meant) {
    for (const auto& [key, amount] : seen) {
        meant.try_emplace(key);
    }
    for (const auto& [key, amount] : meant) {
        if (seen[key] != amount) {
            return Difference<Amount>{key, seen[key], amount};
        }
    }
    return std::nullopt;
}

void scale(Work& work, std::int64_t times, std::int64_t per) {
    work.launches = work.launches * times / per;
    work.copies = work.copies * times / per;
}

} // namespace

std::string compare_calls(
    const std::vector<ApiStat>& calls,
    std::int64_t steps,
    std::int64_t graphs,
    const workload::StepCounts& planned
) {
    WorkByOp seen;
    for (const ApiStat& call : calls) {
        if (call.role != Role::op || !call.op) {
            continue;
        }
        Work& one = seen[{*call.op, call.is_captured ? Placement::in : Placement::out}];
        if (call.kind == ApiKind::kernel_launch) {
            one.launches += call.calls;
        } else if (call.kind == ApiKind::memory_copy || call.kind == ApiKind::memory_set) {
            one.copies += call.calls;
        }
    }
    WorkByOp meant = planned_work(planned);
    for (auto& [key, work] : meant) {
        // A graph is captured once, whatever the number of steps.
        scale(work, key.second == Placement::in ? graphs : steps, planned.steps);
    }
    const auto differs = first_difference(seen, meant);
    if (!differs) {
        return {};
    }
    return fmt::format(
        "op {} ({} the graph): the driver was asked for {} kernels and {} copies in {} steps, and "
        "the plan {} and {}",
        to_string(differs->op.first),
        to_string(differs->op.second),
        differs->seen.launches,
        differs->seen.copies,
        steps,
        differs->meant.launches,
        differs->meant.copies
    );
}

std::string compare_records(
    const std::vector<OpSample>& samples, std::int64_t steps, const workload::StepCounts& planned
) {
    std::map<Key, std::int64_t> seen;
    for (const OpSample& sample : samples) {
        seen[{sample.op, sample.placement}] += sample.records;
    }
    std::map<Key, std::int64_t> meant;
    for (auto [key, work] : planned_work(planned)) {
        scale(work, steps, planned.steps);
        meant[key] = work.launches + work.copies;
    }
    const auto differs = first_difference(seen, meant);
    if (!differs) {
        return {};
    }
    return fmt::format(
        "op {} ({} the graph): the device ran {} pieces of work in {} steps, and the plan has {}",
        to_string(differs->op.first),
        to_string(differs->op.second),
        differs->seen,
        steps,
        differs->meant
    );
}

} // namespace kvprof
