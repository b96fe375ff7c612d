#include "analyzers/validity.h"

#include "capture/model/foreign_change.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>

namespace kvprof::analyzers {

namespace {

bool is_of_capture(ConditionKind kind) {
    return kind == ConditionKind::dropped_records || kind == ConditionKind::untimed_records
           || kind == ConditionKind::census_mismatch || kind == ConditionKind::kernel_set_differs;
}

bool is_void_in(const Condition& condition, Pass pass) {
    return condition.pass == pass && is_void(condition.kind) && !is_of_capture(condition.kind);
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

std::string foreign_pids(const Run& run) {
    std::set<std::int64_t> pids;
    for (const ForeignProcess& process : run.environment.foreign) {
        pids.insert(process.pid);
    }
    return pids.empty() ? "none" : fmt::format("pid {}", fmt::join(pids, "+"));
}

std::vector<std::string> company_of(const Side& side) {
    std::vector<std::string> company;
    for (const Run& run : side.runs) {
        std::string pids = foreign_pids(run);
        if (std::find(company.begin(), company.end(), pids) == company.end()) {
            company.push_back(std::move(pids));
        }
    }
    return company;
}

/// A process that comes, goes or grows takes memory and time from one side alone: no time of the
/// pair is to be trusted.
void add_company(const Side& base, const Side& candidate, std::vector<Concern>& concerns) {
    std::ptrdiff_t changed = 0;
    for (const Side* side : {&base, &candidate}) {
        changed += std::count_if(side->runs.begin(), side->runs.end(), had_changing_company);
    }
    if (changed > 0) {
        concerns.push_back(
            {Severity::warns,
             "foreign-processes",
             fmt::format(
                 "foreign-processes: other processes on the device came, went or changed their "
                 "memory during {} of {} runs",
                 changed,
                 base.runs.size() + candidate.runs.size()
             )}
        );
        return;
    }
    const std::vector<std::string> first = company_of(base);
    const std::vector<std::string> second = company_of(candidate);
    const bool is_same = first.empty() || second.empty() || (first.size() == 1 && first == second);
    if (!is_same) {
        concerns.push_back(
            {Severity::warns,
             "foreign-processes",
             fmt::format(
                 "foreign-processes: {} -> {}", fmt::join(first, ", "), fmt::join(second, ", ")
             )}
        );
    }
}

/// Slow-downs that the device itself reported while a run's times were taken.
void add_void_runs(const Side& side, const char* role, std::vector<Concern>& concerns) {
    for (std::size_t i = 0; i < side.runs.size(); ++i) {
        const auto& conditions = side.runs[i].conditions;
        const auto found =
            std::find_if(conditions.begin(), conditions.end(), [](const Condition& condition) {
                return is_void_in(condition, Pass::timing)
                       && condition.kind != ConditionKind::foreign_process; // has its own line
            });
        if (found != conditions.end()) {
            concerns.push_back(
                {Severity::warns,
                 "void-run",
                 fmt::format(
                     "void-run: run {} of the {}: {}: {}",
                     i + 1,
                     role,
                     to_string(found->kind),
                     found->detail
                 )}
            );
        }
    }
}

bool has_condition(const Run& run, ConditionKind kind) {
    return std::any_of(
        run.conditions.begin(),
        run.conditions.end(),
        [kind](const Condition& condition) {
            return condition.kind == kind && condition.pass == Pass::timing;
        }
    );
}

} // namespace

std::vector<Concern> disturbances(const Side& base, const Side& candidate) {
    std::vector<Concern> concerns;
    add_company(base, candidate, concerns);
    add_void_runs(base, "base", concerns);
    add_void_runs(candidate, "candidate", concerns);
    return concerns;
}

bool is_disturbed(const Side& side, Pass pass) {
    return std::any_of(side.runs.begin(), side.runs.end(), [pass](const Run& run) {
        return std::any_of(
            run.conditions.begin(),
            run.conditions.end(),
            [pass](const Condition& condition) { return is_void_in(condition, pass); }
        );
    });
}

bool has_capture_failure(const Side& side, Pass pass) {
    return std::any_of(side.runs.begin(), side.runs.end(), [pass](const Run& run) {
        const bool has_failed =
            std::any_of(run.passes.begin(), run.passes.end(), [pass](const PassResult& result) {
                return result.pass == pass && !result.failure.empty();
            });
        return has_failed
               || std::any_of(
                   run.conditions.begin(),
                   run.conditions.end(),
                   [pass](const Condition& condition) {
                       return condition.pass == pass && is_of_capture(condition.kind);
                   }
               );
    });
}

bool has_tenant(const Side& side) {
    return std::any_of(side.runs.begin(), side.runs.end(), [](const Run& run) {
        return !run.environment.foreign.empty();
    });
}

std::vector<std::string> kept_conditions(const Side& base, const Side& candidate) {
    constexpr std::array kKept{
        std::pair{ConditionKind::not_steady, "not steady"},
        std::pair{ConditionKind::power_capped, "power-capped"}};
    std::vector<std::string> remarks;
    for (const auto& [kind, words] : kKept) {
        for (const auto& [side, role] :
             {std::pair{&base, "base"}, std::pair{&candidate, "candidate"}}) {
            std::vector<std::size_t> places;
            for (std::size_t i = 0; i < side->runs.size(); ++i) {
                if (has_condition(side->runs[i], kind)) {
                    places.push_back(i + 1);
                }
            }
            if (!places.empty()) {
                remarks.push_back(
                    fmt::format("{}: run {} of the {}", words, fmt::join(places, ", "), role)
                );
            }
        }
    }
    return remarks;
}

bool shares_a_process(const Side& side) {
    return std::any_of(side.runs.begin(), side.runs.end(), [](const Run& run) {
        return std::any_of(run.notes.begin(), run.notes.end(), [](const std::string& note) {
            return note.starts_with("single-layout");
        });
    });
}

bool is_power_capped(const Side& side) {
    return std::any_of(side.runs.begin(), side.runs.end(), [](const Run& run) {
        return has_condition(run, ConditionKind::power_capped);
    });
}

} // namespace kvprof::analyzers
