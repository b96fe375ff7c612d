#include "analyzers/comparability.h"

#include "analyzers/spec_diff.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// The facts that follow from the executor; named once when the executor itself differs.
constexpr std::array<std::string_view, 9> kDeviceFacts{
    "device-name",
    "device-uuid",
    "compute-capability",
    "sm-count",
    "device-memory-bytes",
    "driver",
    "cuda-runtime",
    "cupti",
    "nvml"};

std::vector<std::string> distinct(std::vector<std::string> values) {
    std::vector<std::string> kept;
    for (std::string& value : values) {
        if (std::find(kept.begin(), kept.end(), value) == kept.end()) {
            kept.push_back(std::move(value));
        }
    }
    return kept;
}

template<typename Value>
std::vector<std::string> values_over(const Side& side, Value&& value) {
    std::vector<std::string> values;
    for (const Run& run : side.runs) {
        values.push_back(value(run));
    }
    return distinct(std::move(values));
}

/// Adds a concern when the runs of both sides together do not agree on one value.
template<typename Value>
bool require_equal(
    const std::pair<const Side&, const Side&>& sides,
    std::vector<Concern>& concerns,
    const Concern& concern,
    Value&& value
) {
    const std::vector<std::string> base = values_over(sides.first, value);
    const std::vector<std::string> candidate = values_over(sides.second, value);
    if (base.empty() || candidate.empty() || (base.size() == 1 && base == candidate)) {
        return true;
    }
    concerns.push_back(
        {concern.severity,
         concern.field,
         fmt::format(
             "{}: {} -> {}{}",
             concern.field,
             fmt::join(base, ", "),
             fmt::join(candidate, ", "),
             concern.text
         )}
    );
    return false;
}

bool is_device_fact(std::string_view name) {
    return std::find(kDeviceFacts.begin(), kDeviceFacts.end(), name) != kDeviceFacts.end();
}

Severity severity_of(std::string_view fact, bool is_host) {
    // Under the host executor the machine is the device.
    const bool is_machine = fact == "hostname" || fact == "cpu-model";
    const bool is_device = fact == "device-uuid" || fact == "device-name";
    return is_device || (is_machine && is_host) ? Severity::blocks_times : Severity::warns;
}

void check_environment(
    const std::pair<const Side&, const Side&>& sides, std::vector<Concern>& concerns
) {
    const bool is_same_executor = require_equal(
        sides,
        concerns,
        {Severity::blocks_times, "executor", " (counts and ledger bytes may be compared)"},
        [](const Run& run) { return run.environment.executor; }
    );
    const bool is_host =
        sides.first.measure.executor == ExecutorKind::host
        || (!sides.first.runs.empty() && sides.first.runs.front().environment.executor == "host");
    for (const Param& fact : to_params(Environment{})) {
        // Free memory moves by itself; the pool's size shows what it led to.
        const bool is_reading = fact.name == "device-free-bytes" || fact.name == "executor";
        if (is_reading || (!is_same_executor && is_device_fact(fact.name))) {
            continue;
        }
        require_equal(
            sides,
            concerns,
            {severity_of(fact.name, is_host), fact.name, {}},
            [&](const Run& run) { return value_of(to_params(run.environment), fact.name); }
        );
    }
}

void check_measurement(
    const std::pair<const Side&, const Side&>& sides, std::vector<Concern>& concerns
) {
    require_equal(sides, concerns, {Severity::blocks, "op", {}}, [](const Run& run) {
        return run.measure.op.empty() ? std::string("(the whole step)") : run.measure.op;
    });
    require_equal(sides, concerns, {Severity::blocks_times, "l2", {}}, [](const Run& run) {
        return std::string(to_string(run.measure.l2));
    });
    require_equal(
        sides,
        concerns,
        {Severity::blocks, "pool.schedulable-tokens", {}},
        [](const Run& run) { return fmt::format("{}", run.pool.schedulable_tokens); }
    );
    require_equal(sides, concerns, {Severity::blocks, "pool.state-slots", {}}, [](const Run& run) {
        return fmt::format("{}", run.pool.state_slots);
    });
}

void check_one_change(const Side& base, const Side& candidate, std::vector<Concern>& concerns) {
    const std::vector<SpecChange> changes = changes_between(
        params_of(base.step, base.measure), params_of(candidate.step, candidate.measure)
    );
    if (changes.size() < 2) {
        return;
    }
    std::vector<std::string> names;
    for (const SpecChange& change : changes) {
        names.push_back(change.name);
    }
    concerns.push_back(
        {Severity::warns,
         "treatment",
         fmt::format(
             "treatment: {} fields differ ({}), so no difference has one cause",
             changes.size(),
             fmt::join(names, ", ")
         )}
    );
}

std::vector<std::pair<std::int64_t, std::int64_t>>
foreign_at(const Run& run, std::string_view when) {
    std::vector<std::pair<std::int64_t, std::int64_t>> found;
    for (const ForeignProcess& process : run.environment.foreign) {
        if (process.when == when) {
            found.emplace_back(process.pid, process.bytes);
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::string foreign_pids(const Run& run) {
    std::vector<std::int64_t> pids;
    for (const ForeignProcess& process : run.environment.foreign) {
        pids.push_back(process.pid);
    }
    std::sort(pids.begin(), pids.end());
    pids.erase(std::unique(pids.begin(), pids.end()), pids.end());
    return pids.empty() ? "none" : fmt::format("pid {}", fmt::join(pids, "+"));
}

bool had_changing_company(const Run& run) {
    const auto is_noted = [](const std::string& note) {
        return note.starts_with("foreign-process");
    };
    return foreign_at(run, "before") != foreign_at(run, "after")
           || std::any_of(run.notes.begin(), run.notes.end(), is_noted);
}

/// A process that comes, goes or grows takes memory and time from one side alone: no time of the
/// pair is to be trusted.
void check_foreign(
    const std::pair<const Side&, const Side&>& sides, std::vector<Concern>& concerns
) {
    std::ptrdiff_t changed = 0;
    for (const Side* side : {&sides.first, &sides.second}) {
        changed += std::count_if(side->runs.begin(), side->runs.end(), had_changing_company);
    }
    if (changed > 0) {
        concerns.push_back(
            {Severity::blocks_times,
             "foreign-processes",
             fmt::format(
                 "foreign-processes: other processes on the device came, went or changed their "
                 "memory during {} of {} runs",
                 changed,
                 sides.first.runs.size() + sides.second.runs.size()
             )}
        );
        return;
    }
    require_equal(sides, concerns, {Severity::blocks_times, "foreign-processes", {}}, foreign_pids);
}

void check_runs(const Side& side, std::string_view role, std::vector<Concern>& concerns) {
    if (!side.runs.empty()) {
        return;
    }
    std::string why;
    for (const ExcludedRun& run : side.excluded) {
        why += fmt::format("; {}: {}", to_string(run.state), run.reason);
    }
    concerns.push_back(
        {Severity::blocks, "runs", fmt::format("runs: the {} has no complete run{}", role, why)}
    );
}

} // namespace

std::vector<Concern> comparability(const Side& base, const Side& candidate) {
    std::vector<Concern> concerns;
    const std::pair<const Side&, const Side&> sides{base, candidate};
    check_runs(base, "base", concerns);
    check_runs(candidate, "candidate", concerns);
    check_measurement(sides, concerns);
    check_environment(sides, concerns);
    check_one_change(base, candidate, concerns);
    check_foreign(sides, concerns);
    std::stable_sort(concerns.begin(), concerns.end(), [](const Concern& a, const Concern& b) {
        return a.severity < b.severity;
    });
    return concerns;
}

} // namespace kvprof::analyzers
