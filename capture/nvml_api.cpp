#include "capture/nvml_api.h"

#include "capture/model/error.h"
#include "capture/nvml_functions.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace kvprof {

using nvml::Device;

/// A handle and the one of the board that it is a part of; the same unless it is a slice.
struct Nvml::Found {
    Device device = nullptr;
    Device board = nullptr;
    bool is_slice = false;
};

namespace {

std::optional<std::string> name_of(const NvmlFunctions& nvml, Device device) {
    std::array<char, 96> name{};
    if (nvml.name(device, name.data(), name.size()) != nvml::kSuccess) {
        return std::nullopt;
    }
    return name.data();
}

std::optional<std::int64_t> used_bytes_of(const NvmlFunctions& nvml, Device device) {
    nvml::MemoryInfoV2 detailed;
    if (nvml.memory_v2 != nullptr && nvml.memory_v2(device, &detailed) == nvml::kSuccess) {
        return static_cast<std::int64_t>(detailed.used);
    }
    const auto memory = NvmlFunctions::ask<nvml::MemoryInfo>(nvml.memory, device);
    return memory ? std::optional(static_cast<std::int64_t>(memory->used)) : std::nullopt;
}

/// Two-valued modes that come as (current, pending).
template<typename T>
std::optional<T> current_of(int (*function)(Device, T*, T*), Device device) {
    T pending{};
    T current{};
    if (function == nullptr || function(device, &current, &pending) != nvml::kSuccess) {
        return std::nullopt;
    }
    return current;
}

template<typename T>
std::optional<std::string> on_or_off(const std::optional<T>& mode) {
    return mode ? std::optional<std::string>(*mode == 0 ? "off" : "on") : std::nullopt;
}

/// nvmlGpuVirtualizationMode_t
std::optional<std::string> virtualization_of(const NvmlFunctions& nvml, Device device) {
    constexpr std::array kNames{"none", "passthrough", "vgpu", "host-vgpu", "host-vsga"};
    const auto mode = NvmlFunctions::ask<int>(nvml.virtualization, device);
    if (!mode || *mode < 0) {
        return std::nullopt;
    }
    const auto index = static_cast<std::size_t>(*mode);
    return index < kNames.size() ? kNames[index] : fmt::format("mode {}", *mode);
}

std::optional<std::string> confidential_of(const NvmlFunctions& nvml) {
    const auto state = NvmlFunctions::ask<nvml::ConfidentialState>(nvml.confidential);
    if (!state) {
        return std::nullopt;
    }
    if (state->feature == 0) {
        return "off";
    }
    return state->devtools == 0 ? "on" : "devtools";
}

/// Settings, not readings: the reason bit for application clocks comes and goes with the load, and
/// decides only where the driver does not tell the clocks themselves.
std::optional<std::string> clock_state_of(const NvmlFunctions& nvml, Device device) {
    constexpr unsigned long long kApplicationClocks = 0x2;
    const auto ask = [&](auto* function) {
        return NvmlFunctions::ask<unsigned int>(function, device, nvml::kGraphicsClock);
    };
    const auto set = ask(nvml.application_clock);
    const auto usual = ask(nvml.default_application_clock);
    if (set && usual) {
        return *set == *usual ? "unlocked" : fmt::format("application clocks {} MHz", *set);
    }
    const auto reasons = NvmlFunctions::ask<unsigned long long>(nvml.event_reasons, device);
    if (!reasons) {
        return std::nullopt;
    }
    return (*reasons & kApplicationClocks) == 0 ? "unlocked" : "application clocks";
}

} // namespace

std::string slice_profile_in(std::string_view device_name) {
    constexpr std::string_view kMark = "MIG ";
    const std::size_t mark = device_name.rfind(kMark);
    return std::string(
        mark == std::string_view::npos ? device_name : device_name.substr(mark + kMark.size())
    );
}

Nvml::Nvml(const Libraries& libraries)
    : nvml_(std::make_unique<NvmlFunctions>(libraries)) {
    nvml_->check(nvml_->init(), "start NVML");
}

Nvml::~Nvml() {
    nvml_->shutdown();
}

std::string Nvml::driver_version() const {
    std::array<char, 96> text{};
    nvml_->check(nvml_->driver_version(text.data(), text.size()), "read the driver version");
    return text.data();
}

std::int64_t Nvml::device_count() const {
    unsigned int count = 0;
    nvml_->check(nvml_->count(&count), "count the GPUs");
    return count;
}

std::vector<Gpu> Nvml::devices() const {
    std::vector<Gpu> gpus;
    for (unsigned int i = 0; i < device_count(); ++i) {
        Device device = nullptr;
        std::array<char, 96> name{};
        std::array<char, 96> uuid{};
        nvml::MemoryInfo memory;
        nvml_->check(nvml_->handle(i, &device), "open a GPU in NVML");
        nvml_->check(nvml_->name(device, name.data(), name.size()), "read a GPU's name");
        nvml_->check(nvml_->uuid(device, uuid.data(), uuid.size()), "read a GPU's identity");
        nvml_->check(nvml_->memory(device, &memory), "read a GPU's memory");
        gpus.push_back(
            {.index = i,
             .name = name.data(),
             .uuid = uuid.data(),
             .total_bytes = static_cast<std::int64_t>(memory.total),
             .free_bytes = static_cast<std::int64_t>(memory.free),
             .processes = nvml_->processes_of(device),
             .state = read_state(uuid.data(), {}),
             .facts = facts_of(uuid.data())}
        );
    }
    return gpus;
}

std::optional<Nvml::Found> Nvml::find(std::string_view uuid) const {
    const auto handle_of = [&](const std::string& name) {
        return NvmlFunctions::ask<Device>(nvml_->handle_by_uuid, name.c_str());
    };
    std::string name(uuid);
    auto device = handle_of(name);
    if (!device && uuid.starts_with("GPU-")) {
        name.replace(0, 3, "MIG");
        device = handle_of(name);
    }
    if (!device) {
        return std::nullopt;
    }
    if (!name.starts_with("MIG-")) {
        return Found{*device, *device, false};
    }
    const auto board = NvmlFunctions::ask<Device>(nvml_->board_of_slice, *device);
    return Found{*device, board.value_or(*device), true};
}

bool Nvml::knows(std::string_view uuid) const {
    return find(uuid).has_value();
}

DeviceState Nvml::read_state(std::string_view uuid, std::string_view when) const {
    DeviceState state;
    state.when = when;
    const auto found = find(uuid);
    if (!found) {
        return state;
    }
    const auto clock = [&](int kind) {
        return NvmlFunctions::ask_number<unsigned int>(nvml_->clock, found->board, kind);
    };
    state.sm_clock_mhz = clock(nvml::kSmClock);
    state.memory_clock_mhz = clock(nvml::kMemoryClock);
    state.temperature_c =
        NvmlFunctions::ask_number<unsigned int>(nvml_->temperature, found->board, nvml::kGpuSensor);
    state.power_mw = NvmlFunctions::ask_number<unsigned int>(nvml_->power, found->board);
    state.event_reasons =
        NvmlFunctions::ask_number<unsigned long long>(nvml_->event_reasons, found->board);
    state.used_bytes = used_bytes_of(*nvml_, found->device);
    if (const auto rates =
            NvmlFunctions::ask<nvml::Utilization>(nvml_->utilization, found->board)) {
        state.utilization_percent = rates->gpu;
    }
    return state;
}

DeviceFacts Nvml::facts_of(std::string_view uuid) const {
    DeviceFacts facts;
    facts.confidential_compute = confidential_of(*nvml_);
    const auto found = find(uuid);
    if (!found) {
        return facts;
    }
    const Device board = found->board;
    if (found->is_slice) {
        facts.mig = slice_profile_in(name_of(*nvml_, found->device).value_or("on"));
    } else {
        facts.mig = on_or_off(current_of(nvml_->mig, board));
    }
    facts.ecc = on_or_off(current_of(nvml_->ecc, board));
    facts.clock_state = clock_state_of(*nvml_, board);
    facts.virtualization = virtualization_of(*nvml_, board);
    facts.power_limit_mw = NvmlFunctions::ask_number<unsigned int>(nvml_->power_limit, board);
    const auto highest = [&](int kind) {
        return NvmlFunctions::ask_number<unsigned int>(nvml_->max_clock, board, kind);
    };
    facts.sm_clock_max_mhz = highest(nvml::kSmClock);
    facts.memory_clock_max_mhz = highest(nvml::kMemoryClock);
    return facts;
}

std::vector<GpuProcess> Nvml::processes_of(std::string_view uuid) const {
    const auto found = find(uuid);
    auto listed = found ? nvml_->processes_of(found->device) : std::nullopt;
    return listed ? std::move(*listed) : std::vector<GpuProcess>{};
}

} // namespace kvprof
