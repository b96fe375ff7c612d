#include "capture/launch_check.h"

#include <fmt/format.h>

#include <map>
#include <string_view>
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

/// `cycles` cycles of the plan; both sides then count the same steps.
std::string compare(
    const WorkByOp& seen, const WorkByOp& planned, std::string_view source, std::int64_t steps
) {
    WorkByOp all = planned;
    for (const auto& [key, work] : seen) {
        all.try_emplace(key);
    }
    for (const auto& [key, ignored] : all) {
        const auto seen_one = seen.find(key);
        const auto planned_one = planned.find(key);
        const Work was = seen_one == seen.end() ? Work{} : seen_one->second;
        const Work meant = planned_one == planned.end() ? Work{} : planned_one->second;
        if (was == meant) {
            continue;
        }
        return fmt::format(
            "op {} ({} the graph): {} {} kernels and {} copies in {} steps, and the plan {} and {}",
            to_string(key.first),
            to_string(key.second),
            source,
            was.launches,
            was.copies,
            steps,
            meant.launches,
            meant.copies
        );
    }
    return {};
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
    return compare(seen, meant, "the driver was asked for", steps);
}

std::string compare_records(
    const std::vector<OpSample>& samples, std::int64_t steps, const workload::StepCounts& planned
) {
    std::map<Key, std::int64_t> seen;
    for (const OpSample& sample : samples) {
        seen[{sample.op, sample.placement}] += sample.records;
    }
    WorkByOp meant = planned_work(planned);
    for (auto& [key, work] : meant) {
        scale(work, steps, planned.steps);
        const std::int64_t records = seen[key];
        if (records != work.launches + work.copies) {
            return fmt::format(
                "op {} ({} the graph): the device ran {} pieces of work in {} steps, and the plan "
                "has {}",
                to_string(key.first),
                to_string(key.second),
                records,
                steps,
                work.launches + work.copies
            );
        }
        seen.erase(key);
    }
    for (const auto& [key, records] : seen) {
        if (records > 0) {
            return fmt::format(
                "op {} ({} the graph): the device ran {} pieces of work in {} steps, and the plan "
                "has none",
                to_string(key.first),
                to_string(key.second),
                records,
                steps
            );
        }
    }
    return {};
}

} // namespace kvprof
