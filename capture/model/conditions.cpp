#include "capture/model/conditions.h"

#include "capture/model/foreign_change.h"
#include "capture/model/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>

namespace kvprof {

namespace {

struct Slowdown {
    std::int64_t bit;
    ConditionKind kind;
};

constexpr std::array kSlowdowns{
    Slowdown{0x08, ConditionKind::hw_slowdown},
    Slowdown{0x20, ConditionKind::sw_thermal},
    Slowdown{0x40, ConditionKind::hw_thermal},
    Slowdown{0x80, ConditionKind::hw_power_brake},
    Slowdown{0x04, ConditionKind::power_capped}};

using Value = std::optional<std::int64_t> DeviceState::*;

struct Range {
    std::int64_t least;
    std::int64_t most;
};

std::vector<DeviceState> readings_during(const std::vector<DeviceState>& states) {
    std::vector<DeviceState> during;
    std::copy_if(
        states.begin(),
        states.end(),
        std::back_inserter(during),
        [](const DeviceState& state) { return state.when == "during"; }
    );
    return during;
}

/// Empty when no reading has the value.
std::optional<Range> range_of(const std::vector<DeviceState>& states, Value value) {
    std::optional<Range> range;
    for (const DeviceState& state : states) {
        if (const auto& read = state.*value) {
            range = range ? Range{std::min(range->least, *read), std::max(range->most, *read)}
                          : Range{*read, *read};
        }
    }
    return range;
}

/// "in 3 of 40 readings; SM clock 1200 to 1980 MHz, up to 88 C, up to 698.5 W"
std::string describe(const std::vector<DeviceState>& affected, std::size_t readings) {
    std::vector<std::string> values;
    if (const auto clock = range_of(affected, &DeviceState::sm_clock_mhz)) {
        values.push_back(fmt::format("SM clock {} to {} MHz", clock->least, clock->most));
    }
    if (const auto heat = range_of(affected, &DeviceState::temperature_c)) {
        values.push_back(fmt::format("up to {} C", heat->most));
    }
    if (const auto power = range_of(affected, &DeviceState::power_mw)) {
        values.push_back(fmt::format("up to {:.1f} W", static_cast<double>(power->most) / 1000));
    }
    return fmt::format(
        "in {} of {} readings{}{}",
        affected.size(),
        readings,
        values.empty() ? "" : "; ",
        fmt::join(values, ", ")
    );
}

void add_slowdowns(const std::vector<DeviceState>& during, std::vector<Condition>& conditions) {
    for (const Slowdown& slowdown : kSlowdowns) {
        std::vector<DeviceState> affected;
        std::copy_if(
            during.begin(),
            during.end(),
            std::back_inserter(affected),
            [&](const DeviceState& state) {
                return (state.event_reasons.value_or(0) & slowdown.bit) != 0;
            }
        );
        if (!affected.empty()) {
            conditions.push_back({slowdown.kind, describe(affected, during.size())});
        }
    }
}

void add_company(
    const WatchedDevice& watched,
    const std::vector<DeviceState>& during,
    std::vector<Condition>& conditions
) {
    const std::vector<std::string> changes = foreign_changes(watched.foreign);
    if (!changes.empty()) {
        conditions.push_back(
            {ConditionKind::foreign_process, fmt::format("{}", fmt::join(changes, "; "))}
        );
        return;
    }
    const auto used = range_of(during, &DeviceState::used_bytes);
    if (!watched.lists_processes && used && used->most - used->least > kSteadyForeignBytes) {
        conditions.push_back(
            {ConditionKind::foreign_process,
             fmt::format(
                 "used memory moved between {} and {}, and processes are not listed here",
                 format_bytes({used->least}),
                 format_bytes({used->most})
             )}
        );
    }
}

} // namespace

std::vector<Condition> conditions_of(const WatchedDevice& watched) {
    std::vector<Condition> conditions;
    const std::vector<DeviceState> during = readings_during(watched.states);
    add_slowdowns(during, conditions);
    add_company(watched, during, conditions);
    return conditions;
}

} // namespace kvprof
