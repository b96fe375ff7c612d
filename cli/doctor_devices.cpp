#include "cli/doctor_devices.h"

#include "analyzers/device_words.h"
#include "capture/model/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string>

namespace kvprof::cli {

namespace {

DoctorRow memory_row(const Gpu& gpu, const std::string& name) {
    return {
        name,
        true,
        fmt::format(
            "{} ({}), {} free of {}",
            gpu.name,
            gpu.uuid,
            format_bytes({gpu.free_bytes}),
            format_bytes({gpu.total_bytes})
        ),
        {},
        {}};
}

std::string processes_text(const std::vector<GpuProcess>& processes) {
    std::vector<std::string> texts;
    for (const GpuProcess& process : processes) {
        const std::string held =
            process.bytes ? format_bytes({*process.bytes}) : "an unknown amount";
        texts.push_back(fmt::format("pid {} holds {}", process.pid, held));
    }
    return texts.empty() ? "nobody is listed" : fmt::format("{}", fmt::join(texts, ", "));
}

/// Memory in use that no process of the list holds; 0 where that can not be said.
std::int64_t unexplained_bytes(const Gpu& gpu) {
    std::int64_t held = 0;
    for (const GpuProcess& process : gpu.processes.value_or(std::vector<GpuProcess>{})) {
        if (!process.bytes) {
            return 0;
        }
        held += *process.bytes;
    }
    return gpu.state.used_bytes.value_or(held) - held;
}

DoctorRow company_row(const Gpu& gpu, const std::string& name) {
    constexpr std::int64_t kOfTheDriver = std::int64_t{1} << 30; // some older ones count their own
    constexpr const char* kDisturbed =
        "another process on the device disturbs times; runs that it changes under are void";
    DoctorRow row{name + " users", true, {}, {}, {}};
    if (!gpu.processes) {
        row.text = "the driver lists no processes";
        add_trouble(
            row,
            "other processes are noticed by the device's memory alone",
            "run outside the container, or share the host's process ids with it (--pid=host)"
        );
    } else {
        row.text = processes_text(*gpu.processes);
        if (!gpu.processes->empty()) {
            add_trouble(row, kDisturbed, "wait until it ends, or choose another --device");
        }
    }
    if (const std::int64_t hidden = unexplained_bytes(gpu); hidden > kOfTheDriver) {
        row.text += fmt::format("; {} are in use by nobody listed", format_bytes({hidden}));
        add_trouble(row, kDisturbed, "look for it on the host, or choose another --device");
    }
    return row;
}

/// "345 of 1980 MHz"; empty when nothing is known.
std::string of_most(
    const std::optional<std::int64_t>& now, const std::optional<std::int64_t>& most, double unit
) {
    const auto text = [unit](const std::optional<std::int64_t>& value) {
        return value ? fmt::format("{:g}", static_cast<double>(*value) / unit) : std::string("?");
    };
    return now || most ? fmt::format("{} of {}", text(now), text(most)) : std::string();
}

std::vector<std::string> clock_texts(const DeviceState& now, const DeviceFacts& facts) {
    constexpr double kMilli = 1000;
    std::vector<std::string> texts;
    if (const auto sm = of_most(now.sm_clock_mhz, facts.sm_clock_max_mhz, 1); !sm.empty()) {
        texts.push_back(fmt::format("SM {} MHz", sm));
    }
    const auto memory = of_most(now.memory_clock_mhz, facts.memory_clock_max_mhz, 1);
    if (!memory.empty()) {
        texts.push_back(fmt::format("memory {} MHz", memory));
    }
    if (const auto power = of_most(now.power_mw, facts.power_limit_mw, kMilli); !power.empty()) {
        texts.push_back(fmt::format("{} W", power));
    }
    if (now.temperature_c) {
        texts.push_back(fmt::format("{} C", *now.temperature_c));
    }
    if (facts.clock_state) {
        texts.push_back(*facts.clock_state);
    }
    if (now.event_reasons) {
        texts.push_back(
            fmt::format("held back by: {}", analyzers::clock_event_words(*now.event_reasons))
        );
    }
    return texts;
}

DoctorRow clock_row(const Gpu& gpu, const std::string& name) {
    constexpr std::int64_t kPowerCap = 0x04;
    constexpr std::int64_t kSlowdowns = 0x08 | 0x20 | 0x40 | 0x80;
    const std::vector<std::string> texts = clock_texts(gpu.state, gpu.facts);
    DoctorRow row{name + " clocks", true, fmt::format("{}", fmt::join(texts, ", ")), {}, {}};
    if (texts.empty()) {
        row.text = "NVML does not tell";
        add_trouble(
            row, "slow-downs of the device go unseen", "use a driver and a guest with all of NVML"
        );
    }
    const std::int64_t reasons = gpu.state.event_reasons.value_or(0);
    if ((reasons & kSlowdowns) != 0) {
        add_trouble(
            row,
            "the device is slowed down; runs made meanwhile are void",
            "let it cool down, and have its cooling and its power supply looked at"
        );
    }
    if ((reasons & kPowerCap) != 0) {
        add_trouble(
            row,
            "clocks move with the power drawn; runs made meanwhile are tagged power-capped",
            "end what else runs on the device, or have its power limit raised"
        );
    }
    return row;
}

DoctorRow mode_row(const Gpu& gpu, const std::string& name) {
    const DeviceFacts& facts = gpu.facts;
    const auto text = [](const std::optional<std::string>& fact) {
        return fact.value_or("unknown");
    };
    DoctorRow row{
        name + " mode",
        true,
        fmt::format(
            "MIG {}, ECC {}, virtualization {}, confidential computing {}",
            text(facts.mig),
            text(facts.ecc),
            text(facts.virtualization),
            text(facts.confidential_compute)
        ),
        {},
        {}};
    if (facts.mig.value_or("off") != "off") {
        add_trouble(
            row,
            "free memory is a slice's, and hardware tracing is missing; kernels are traced",
            "compare runs of one slice profile only, or run on a whole GPU"
        );
    }
    if (facts.virtualization.value_or("none").find("vgpu") != std::string::npos) {
        add_trouble(
            row,
            "no traces unless the host allows them",
            "ask the host's administrator to enable profiling for the vGPU (enable_profiling), or "
            "for a passed-through GPU"
        );
    }
    if (facts.confidential_compute == "on") {
        add_trouble(
            row,
            "no traces: timing and memory passes only",
            "set the devtools mode of confidential computing"
        );
    }
    return row;
}

} // namespace

std::vector<DoctorRow> device_rows(const Gpu& gpu) {
    const std::string name = fmt::format("gpu {}", gpu.index);
    return {
        memory_row(gpu, name), company_row(gpu, name), clock_row(gpu, name), mode_row(gpu, name)};
}

} // namespace kvprof::cli
