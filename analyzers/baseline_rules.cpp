#include "analyzers/baseline_rules.h"

#include "analyzers/imported_runs.h"
#include "stats/median.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// What a device is and how it is set, without its identity: a baseline may come from another
/// device of the same product.
std::string device_facts(const Run& run) {
    const Environment& env = run.environment;
    return fmt::format(
        "{}|{}|{}|{}|{}|{}|{}",
        env.executor,
        env.device_name,
        env.compute_capability,
        env.sm_count,
        env.device_memory_bytes,
        env.mig,
        env.clock_state
    );
}

/// "2026-10-30" of "2026-10-30T09:00:00Z".
std::string day_of(const Run& run) {
    return run.started_at.substr(0, run.started_at.find('T'));
}

/// The facts of most runs, those of the earliest when two are as many.
std::string common_facts(const std::vector<Run>& runs) {
    std::map<std::string, std::size_t> counts;
    for (const Run& run : runs) {
        ++counts[device_facts(run)];
    }
    std::string best;
    for (const Run& run : runs) {
        const std::string facts = device_facts(run);
        if (best.empty() || counts[facts] > counts[best]) {
            best = facts;
        }
    }
    return best;
}

std::string shortfall_text(
    std::string_view role,
    std::size_t has,
    std::size_t needed,
    std::size_t other_device,
    bool is_imported
) {
    std::string text = fmt::format(
        "stored-baseline: {} occasion{} of {} (a day or a boot with {} runs each)",
        has,
        has == 1 ? "" : "s",
        needed,
        kRunsAnOccasion
    );
    if (other_device > 0) {
        text += fmt::format(
            "; {} run{} on another device or setting left out",
            other_device,
            other_device == 1 ? "" : "s"
        );
    }
    if (is_imported) {
        return text
               + "; kvprof diff of two imported sides asks for no occasions: import 6 "
                 "captures a side (kvprof import --side NAME FILE...)";
    }
    const std::size_t missing = needed - has;
    text += fmt::format(
        "; measuring the {} on {} more day{} or boot{}, or beside the other side (gate --ab), "
        "would decide it",
        role,
        missing,
        missing == 1 ? "" : "s",
        missing == 1 ? "" : "s"
    );
    return text;
}

} // namespace

Occasions occasions_of(const Side& side, std::size_t needed, std::string_view role) {
    std::vector<std::size_t> order(side.runs.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return side.runs[a].started_at < side.runs[b].started_at;
    });
    const std::string facts = common_facts(side.runs);
    std::size_t other_device = 0;
    std::vector<std::pair<std::pair<std::string, std::string>, std::vector<std::size_t>>> groups;
    for (const std::size_t i : order) {
        const Run& run = side.runs[i];
        if (device_facts(run) != facts) {
            ++other_device;
            continue;
        }
        const std::pair<std::string, std::string> key{day_of(run), run.environment.boot};
        auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& one) {
            return one.first == key;
        });
        if (group == groups.end()) {
            group = groups.insert(group, {key, {}});
        }
        group->second.push_back(i);
    }
    Occasions occasions;
    for (auto& [key, runs] : groups) {
        if (runs.size() >= kRunsAnOccasion) {
            occasions.runs.push_back(std::move(runs));
        }
    }
    if (occasions.runs.size() < needed) {
        occasions.shortfall = shortfall_text(
            role, occasions.runs.size(), needed, other_device, are_imported(side.runs)
        );
    }
    return occasions;
}

std::vector<double>
occasion_values(const Occasions& occasions, std::span<const std::optional<double>> by_run) {
    std::vector<double> values;
    for (const std::vector<std::size_t>& runs : occasions.runs) {
        std::vector<double> present;
        for (const std::size_t run : runs) {
            if (by_run[run]) {
                present.push_back(*by_run[run]);
            }
        }
        if (present.size() >= kRunsAnOccasion) {
            values.push_back(stats::median(std::move(present)));
        }
    }
    return values;
}

} // namespace kvprof::analyzers
