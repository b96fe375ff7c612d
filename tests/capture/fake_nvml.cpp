#include "tests/capture/fake_nvml.h"

#include "capture/nvml_functions.h"

#include <cstring>
#include <map>

namespace kvprof::test {

namespace {

constexpr int kNotSupported = 3;
constexpr int kNotFound = 6;

const FakeNvml* fake = nullptr; // what the C functions below answer from

template<typename T, typename U>
int give(const std::optional<T>& value, U* result) {
    if (!value) {
        return kNotSupported;
    }
    *result = static_cast<U>(*value);
    return 0;
}

int give_text(const std::string& value, char* text) {
    std::strcpy(text, value.c_str());
    return 0;
}

int start() {
    return fake->starts ? 0 : 9;
}

int stop() {
    return 0;
}

const char* error_text(int /*status*/) {
    return "Driver Not Loaded";
}

int driver_version(char* text, unsigned int /*size*/) {
    return give_text("580.1", text);
}

int count_one(unsigned int* count) {
    *count = 1;
    return 0;
}

int handle_of(unsigned int /*index*/, void** device) {
    *device = nullptr;
    return 0;
}

int handle_by_uuid(const char* uuid, void** device) {
    *device = nullptr;
    return fake->uuid == uuid ? 0 : kNotFound;
}

int name_of(void* /*device*/, char* text, unsigned int /*size*/) {
    return give_text(fake->name, text);
}

int uuid_of(void* /*device*/, char* text, unsigned int /*size*/) {
    return give_text(fake->uuid, text);
}

int memory_of(void* /*device*/, nvml::MemoryInfo* memory) {
    *memory = {1000, 1000 - fake->used_with_reserved, fake->used_with_reserved};
    return 0;
}

int memory_v2_of(void* /*device*/, nvml::MemoryInfoV2* memory) {
    if (memory->version != (sizeof *memory | 2U << 24U)) {
        return kNotSupported;
    }
    memory->used = fake->used;
    return 0;
}

int processes_of(void* /*device*/, unsigned int* count, nvml::ProcessInfo* processes) {
    if (!fake->processes) {
        return kNotSupported;
    }
    const unsigned int room = *count;
    *count = static_cast<unsigned int>(fake->processes->size());
    if (*count > room) {
        return nvml::kInsufficientSize;
    }
    for (const GpuProcess& process : *fake->processes) {
        *processes++ = {
            static_cast<unsigned int>(process.pid),
            process.bytes ? static_cast<unsigned long long>(*process.bytes)
                          : nvml::kMemoryNotAvailable,
            0,
            0};
    }
    return 0;
}

int clock_of(void* /*device*/, int kind, unsigned int* mhz) {
    return give(kind == nvml::kSmClock ? fake->sm_clock : fake->memory_clock, mhz);
}

int max_clock_of(void* /*device*/, int kind, unsigned int* mhz) {
    return give(kind == nvml::kSmClock ? fake->sm_clock_max : fake->memory_clock_max, mhz);
}

int application_clock_of(void* /*device*/, int /*kind*/, unsigned int* mhz) {
    return give(fake->application_clock, mhz);
}

int default_clock_of(void* /*device*/, int /*kind*/, unsigned int* mhz) {
    return give(fake->default_application_clock, mhz);
}

int reasons_of(void* /*device*/, unsigned long long* reasons) {
    return give(fake->event_reasons, reasons);
}

int temperature_of(void* /*device*/, int /*sensor*/, unsigned int* celsius) {
    return give(fake->temperature, celsius);
}

int power_of(void* /*device*/, unsigned int* milliwatt) {
    return give(fake->power_mw, milliwatt);
}

int power_limit_of(void* /*device*/, unsigned int* milliwatt) {
    return give(fake->power_limit_mw, milliwatt);
}

int ecc_of(void* /*device*/, int* current, int* pending) {
    *pending = 7; // what it would be after a reboot is not asked for
    return give(fake->has_ecc, current);
}

int mig_of(void* /*device*/, unsigned int* current, unsigned int* pending) {
    *pending = 7;
    return give(fake->has_mig, current);
}

int utilization_of(void* /*device*/, nvml::Utilization* rates) {
    return give(fake->utilization, &rates->gpu);
}

int virtualization_of(void* /*device*/, int* mode) {
    return give(fake->virtualization, mode);
}

int confidential_of(nvml::ConfidentialState* state) {
    state->devtools = fake->has_devtools ? 1 : 0;
    return give(fake->is_confidential, &state->feature);
}

int version_13(int* version) {
    *version = 13'000;
    return 0;
}

int cupti_version(std::uint32_t* version) {
    *version = 130'001;
    return 0;
}

template<typename F>
void* address(F* function) {
    return reinterpret_cast<void*>(function);
}

std::map<std::string, void*> all_symbols() {
    return {
        {"nvmlInit_v2", address(start)},
        {"nvmlShutdown", address(stop)},
        {"nvmlErrorString", address(error_text)},
        {"nvmlSystemGetDriverVersion", address(driver_version)},
        {"nvmlDeviceGetCount_v2", address(count_one)},
        {"nvmlDeviceGetHandleByIndex_v2", address(handle_of)},
        {"nvmlDeviceGetHandleByUUID", address(handle_by_uuid)},
        {"nvmlDeviceGetDeviceHandleFromMigDeviceHandle", address(+[](void*, void**) { return 0; })},
        {"nvmlDeviceGetName", address(name_of)},
        {"nvmlDeviceGetUUID", address(uuid_of)},
        {"nvmlDeviceGetMemoryInfo", address(memory_of)},
        {"nvmlDeviceGetMemoryInfo_v2", address(memory_v2_of)},
        {"nvmlDeviceGetComputeRunningProcesses_v3", address(processes_of)},
        {"nvmlDeviceGetComputeRunningProcesses_v2", address(processes_of)},
        {"nvmlDeviceGetClockInfo", address(clock_of)},
        {"nvmlDeviceGetMaxClockInfo", address(max_clock_of)},
        {"nvmlDeviceGetApplicationsClock", address(application_clock_of)},
        {"nvmlDeviceGetDefaultApplicationsClock", address(default_clock_of)},
        {"nvmlDeviceGetCurrentClocksEventReasons", address(reasons_of)},
        {"nvmlDeviceGetCurrentClocksThrottleReasons", address(reasons_of)},
        {"nvmlDeviceGetTemperature", address(temperature_of)},
        {"nvmlDeviceGetPowerUsage", address(power_of)},
        {"nvmlDeviceGetEnforcedPowerLimit", address(power_limit_of)},
        {"nvmlDeviceGetEccMode", address(ecc_of)},
        {"nvmlDeviceGetMigMode", address(mig_of)},
        {"nvmlDeviceGetUtilizationRates", address(utilization_of)},
        {"nvmlDeviceGetVirtualizationMode", address(virtualization_of)},
        {"nvmlSystemGetConfComputeState", address(confidential_of)},
        {"cuDriverGetVersion", address(version_13)},
        {"cuptiGetVersion", address(cupti_version)}};
}

} // namespace

Libraries libraries_with(const FakeNvml& driver) {
    fake = &driver;
    return {
        .open = [](const std::string& /*file*/) { return address(start); },
        .symbol = [symbols = all_symbols()](void* /*library*/, const char* symbol) -> void* {
            const auto found = symbols.find(symbol);
            return found == symbols.end() || fake->missing.contains(symbol) ? nullptr
                                                                            : found->second;
        },
        .why = [] { return std::string(); },
        .loaded = {}};
}

Libraries no_libraries() {
    return {
        .open = [](const std::string& /*file*/) -> void* { return nullptr; },
        .symbol = [](void* /*library*/, const char* /*symbol*/) -> void* { return nullptr; },
        .why = [] { return std::string("no such file"); },
        .loaded = {}};
}

} // namespace kvprof::test
