#pragma once

#include "capture/model/enum_names.h"
#include "capture/model/pass.h"

#include <cstdint>
#include <optional>
#include <string>

namespace kvprof {

/// One reading of the device while a run measured; what NVML does not tell is absent.
struct DeviceState {
    std::string when; ///< "before", "during" or "after"
    std::optional<std::int64_t> sm_clock_mhz;
    std::optional<std::int64_t> memory_clock_mhz;
    std::optional<std::int64_t> temperature_c;
    std::optional<std::int64_t> power_mw;
    std::optional<std::int64_t> event_reasons; ///< NVML's bits: why clocks are not at their most
    std::optional<std::int64_t> used_bytes;
    std::optional<std::int64_t> utilization_percent;

    friend bool operator==(const DeviceState&, const DeviceState&) = default;
};

/// A circumstance that bears on whether a run's figures may be used, decided on outside evidence
/// only, never on the figures. Facts: what follows from one is the comparison's to say.
enum class ConditionKind : std::uint8_t {
    hw_slowdown,
    sw_thermal,
    hw_thermal,
    hw_power_brake,
    power_capped,
    foreign_process,
    not_steady,
    dropped_records,
    untimed_records,
    census_mismatch, ///< records of a replay are not the graph's nodes
    kernel_set_differs
};

template<>
struct EnumNames<ConditionKind> {
    static constexpr std::array values{
        std::pair{ConditionKind::hw_slowdown, "hw-slowdown"},
        std::pair{ConditionKind::sw_thermal, "sw-thermal"},
        std::pair{ConditionKind::hw_thermal, "hw-thermal"},
        std::pair{ConditionKind::hw_power_brake, "hw-power-brake"},
        std::pair{ConditionKind::power_capped, "power-capped"},
        std::pair{ConditionKind::foreign_process, "foreign-process"},
        std::pair{ConditionKind::not_steady, "not-steady"},
        std::pair{ConditionKind::dropped_records, "dropped-records"},
        std::pair{ConditionKind::untimed_records, "untimed-records"},
        std::pair{ConditionKind::census_mismatch, "census-mismatch"},
        std::pair{ConditionKind::kernel_set_differs, "kernel-set-differs"}};
};

/// Whether the figures of a pass under this condition are void: its times are not compared. A power
/// cap and an unsteady warm-up leave them standing, with the condition beside them.
[[nodiscard]] constexpr bool is_void(ConditionKind kind) {
    return kind != ConditionKind::power_capped && kind != ConditionKind::not_steady;
}

struct Condition {
    ConditionKind kind{};
    std::string detail;       ///< what was seen, with values
    Pass pass = Pass::timing; ///< in which it was seen

    friend bool operator==(const Condition&, const Condition&) = default;
};

} // namespace kvprof
