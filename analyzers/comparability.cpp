#include "analyzers/comparability.h"

#include "analyzers/spec_diff.h"
#include "capture/model/foreign_change.h"

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
constexpr std::array<std::string_view, 17> kDeviceFacts{
    "device-name",
    "device-uuid",
    "compute-capability",
    "sm-count",
    "device-memory-bytes",
    "driver",
    "cuda-runtime",
    "cupti",
    "nvml",
    "mig",
    "ecc",
    "clock-state",
    "virtualization",
    "confidential-compute",
    "power-limit-mw",
    "sm-clock-max-mhz",
    "memory-clock-max-mhz"};

/// What a device is and how it is set: no time of one is a time of the other. The rest of the facts
/// can change a time and need not.
constexpr std::array<std::string_view, 7> kHardFacts{
    "device-name",
    "device-uuid",
    "compute-capability",
    "sm-count",
    "device-memory-bytes",
    "mig",
    "clock-state"};

/// Numbers of the device that are 0 where they are not known.
constexpr std::array<std::string_view, 3> kOptionalNumbers{
    "power-limit-mw", "sm-clock-max-mhz", "memory-clock-max-mhz"};

template<std::size_t n>
bool is_one_of(const std::array<std::string_view, n>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

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

/// Whether the runs of both sides together agree on one value; a side without values agrees.
bool is_same(const std::vector<std::string>& base, const std::vector<std::string>& candidate) {
    return base.empty() || candidate.empty() || (base.size() == 1 && base == candidate);
}

std::string change_text(
    std::string_view field,
    const std::vector<std::string>& base,
    const std::vector<std::string>& candidate
) {
    return fmt::format("{}: {} -> {}", field, fmt::join(base, ", "), fmt::join(candidate, ", "));
}

/// Adds a concern when the runs of both sides together do not agree on one value; its text is what
/// is added to the values.
template<typename Value>
bool require_equal(
    const std::pair<const Side&, const Side&>& sides,
    std::vector<Concern>& concerns,
    const Concern& concern,
    Value&& value
) {
    const std::vector<std::string> base = values_over(sides.first, value);
    const std::vector<std::string> candidate = values_over(sides.second, value);
    if (is_same(base, candidate)) {
        return true;
    }
    concerns.push_back(
        {concern.severity,
         concern.field,
         change_text(concern.field, base, candidate) + concern.text}
    );
    return false;
}

Severity severity_of(std::string_view fact, bool is_host) {
    // Under the host executor the machine is the device.
    const bool is_machine = fact == "hostname" || fact == "cpu-model";
    return is_one_of(kHardFacts, fact) || (is_machine && is_host) ? Severity::blocks_times
                                                                  : Severity::warns;
}

bool is_known(std::string_view fact, std::string_view value) {
    return !value.empty() && !(value == "0" && is_one_of(kOptionalNumbers, fact));
}

/// The values of a fact over the runs of a side; runs that do not know it say nothing.
std::vector<std::string> known_values(const Side& side, std::string_view fact) {
    std::vector<std::string> values = values_over(side, [&](const Run& run) {
        return value_of(to_params(run.environment), fact);
    });
    std::erase_if(values, [&](const std::string& value) { return !is_known(fact, value); });
    return values;
}

void check_fact(
    const std::pair<const Side&, const Side&>& sides,
    std::string_view fact,
    Severity severity,
    std::vector<Concern>& concerns
) {
    const std::vector<std::string> base = known_values(sides.first, fact);
    const std::vector<std::string> candidate = known_values(sides.second, fact);
    if (is_same(base, candidate)) {
        return;
    }
    // That NVML was silent once does not make the settings another's.
    const auto is_silent = [](const std::string& value) {
        return value.starts_with("unavailable: ");
    };
    const bool is_setting = fact == "mig" || fact == "clock-state";
    if (is_setting
        && (std::any_of(base.begin(), base.end(), is_silent)
            || std::any_of(candidate.begin(), candidate.end(), is_silent))) {
        severity = Severity::warns;
    }
    concerns.push_back({severity, std::string(fact), change_text(fact, base, candidate)});
}

/// Whether an option differs between the sides.
bool has_treatment(const Side& base, const Side& candidate) {
    const std::vector<Param> first = params_of(base.step, base.measure);
    const std::vector<Param> second = params_of(candidate.step, candidate.measure);
    return !changes_between(first, second).empty();
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
    const bool compares_revisions = !has_treatment(sides.first, sides.second);
    for (const Param& fact : to_params(Environment{})) {
        // Free memory moves by itself; the pool's size shows what it led to.
        const bool is_reading = fact.name == "device-free-bytes" || fact.name == "executor";
        // Where no option differs, the revision is what is compared.
        const bool is_treatment = fact.name == "git-revision" && compares_revisions;
        if (is_reading || is_treatment
            || (!is_same_executor && is_one_of(kDeviceFacts, fact.name))) {
            continue;
        }
        check_fact(sides, fact.name, severity_of(fact.name, is_host), concerns);
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
    return !foreign_changes(run.environment.foreign).empty()
           || std::any_of(
               run.conditions.begin(),
               run.conditions.end(),
               [](const Condition& condition) {
                   return condition.pass == Pass::timing
                          && condition.kind == ConditionKind::foreign_process;
               }
           );
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

/// Slow-downs that the device itself reported while a run's times were taken.
void check_void(const std::pair<const Side&, const Side&>& sides, std::vector<Concern>& concerns) {
    const auto is_of_timing = [](const Condition& condition) {
        return condition.pass == Pass::timing && is_void(condition.kind)
               && condition.kind != ConditionKind::foreign_process; // has a concern of its own
    };
    for (const auto& [side, role] :
         {std::pair{&sides.first, "base"}, std::pair{&sides.second, "candidate"}}) {
        for (const Run& run : side->runs) {
            const auto found =
                std::find_if(run.conditions.begin(), run.conditions.end(), is_of_timing);
            if (found != run.conditions.end()) {
                concerns.push_back(
                    {Severity::blocks_times,
                     "void-run",
                     fmt::format(
                         "void-run: {} run {}: {}: {}",
                         role,
                         run.repeat + 1,
                         to_string(found->kind),
                         found->detail
                     )}
                );
            }
        }
    }
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
    check_void(sides, concerns);
    std::stable_sort(concerns.begin(), concerns.end(), [](const Concern& a, const Concern& b) {
        return a.severity < b.severity;
    });
    return concerns;
}

} // namespace kvprof::analyzers
