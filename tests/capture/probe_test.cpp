#include "capture/probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <map>

namespace kvprof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// A driver with one GPU on which process 77 and this one compute.
struct FakeMemory {
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
};

struct FakeProcess {
    unsigned int pid;
    unsigned long long bytes;
    unsigned int gpu_instance;
    unsigned int compute_instance;
};

int succeed() {
    return 0;
}

int fail() {
    return 9;
}

const char* error_text(int /*status*/) {
    return "Driver Not Loaded";
}

int text_of(char* text, const char* value) {
    std::strcpy(text, value);
    return 0;
}

int driver_version(char* text, unsigned int /*size*/) {
    return text_of(text, "580.1");
}

int count_one(unsigned int* count) {
    *count = 1;
    return 0;
}

int handle_of(unsigned int /*index*/, void** device) {
    *device = nullptr;
    return 0;
}

int name_of(void* /*device*/, char* text, unsigned int /*size*/) {
    return text_of(text, "H200");
}

int uuid_of(void* /*device*/, char* text, unsigned int /*size*/) {
    return text_of(text, "GPU-1");
}

int memory_of(void* /*device*/, FakeMemory* memory) {
    *memory = {.total = 1000, .free = 600, .used = 400};
    return 0;
}

int processes_of(void* /*device*/, unsigned int* count, FakeProcess* processes) {
    *count = 2;
    processes[0] = {.pid = 77, .bytes = 300, .gpu_instance = 0, .compute_instance = 0};
    processes[1] = {
        .pid = static_cast<unsigned int>(getpid()),
        .bytes = 100,
        .gpu_instance = 0,
        .compute_instance = 0};
    return 0;
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

Libraries with_gpu(bool starts) {
    const std::map<std::string, void*> symbols{
        {"nvmlInit_v2", address(starts ? succeed : fail)},
        {"nvmlShutdown", address(succeed)},
        {"nvmlErrorString", address(error_text)},
        {"nvmlSystemGetDriverVersion", address(driver_version)},
        {"nvmlDeviceGetCount_v2", address(count_one)},
        {"nvmlDeviceGetHandleByIndex_v2", address(handle_of)},
        {"nvmlDeviceGetName", address(name_of)},
        {"nvmlDeviceGetUUID", address(uuid_of)},
        {"nvmlDeviceGetMemoryInfo", address(memory_of)},
        {"nvmlDeviceGetComputeRunningProcesses_v3", address(processes_of)},
        {"cuDriverGetVersion", address(version_13)},
        {"cuptiGetVersion", address(cupti_version)}};
    return {
        .open = [](const std::string& /*file*/) { return address(succeed); },
        .symbol =
            [symbols](void* /*library*/, const char* symbol) {
                const auto found = symbols.find(symbol);
                return found == symbols.end() ? nullptr : found->second;
            },
        .why = [] { return std::string(); }};
}

Libraries without_any() {
    return {
        .open = [](const std::string& /*file*/) -> void* { return nullptr; },
        .symbol = [](void* /*library*/, const char* /*symbol*/) -> void* { return nullptr; },
        .why = [] { return std::string("no such file"); }};
}

TEST(Probe, FindsADriverItsDeviceAndCupti) {
    const MachineProbe probe = probe_machine(with_gpu(true));
    EXPECT_EQ(probe.driver, (Finding{true, "runs CUDA up to 13.0"}));
    EXPECT_EQ(probe.nvml, (Finding{true, "driver 580.1"}));
    EXPECT_EQ(probe.cupti, (Finding{true, "version 130001 (libcupti.so.13)"}));
    ASSERT_EQ(probe.gpus.size(), 1U);
    EXPECT_EQ(probe.gpus[0].name, "H200");
    EXPECT_EQ(probe.gpus[0].free_bytes, 600);
}

TEST(Probe, SaysWhyEachThingIsMissing) {
    const MachineProbe probe = probe_machine(without_any());
    EXPECT_EQ(probe.driver, (Finding{false, "not found: no such file"}));
    EXPECT_EQ(probe.cupti, (Finding{false, "not found: no such file"}));
    EXPECT_THAT(probe.nvml.text, HasSubstr("could not load NVML: no such file"));
    EXPECT_THAT(probe.gpus, IsEmpty());
}

TEST(Probe, SaysWhyNvmlDoesNotStart) {
    const MachineProbe probe = probe_machine(with_gpu(false));
    EXPECT_THAT(probe.nvml.text, HasSubstr("could not start NVML: Driver Not Loaded"));
}

TEST(Probe, NamesASymbolThatALibraryLacks) {
    Libraries old = with_gpu(true);
    old.symbol = without_any().symbol;
    EXPECT_THAT(probe_machine(old).nvml.text, HasSubstr("it has no nvmlInit_v2"));
}

TEST(GpuCount, IsZeroWithoutADriver) {
    EXPECT_EQ(gpu_count(without_any()), 0);
    EXPECT_EQ(gpu_count(with_gpu(false)), 0);
    EXPECT_EQ(gpu_count(with_gpu(true)), 1);
}

TEST(ForeignProcesses, LeaveOutThisProcessAndOtherDevices) {
    EXPECT_THAT(
        foreign_processes("GPU-1", "before", with_gpu(true)),
        ElementsAre(ForeignProcess{"before", 77, 300})
    );
    EXPECT_THAT(foreign_processes("GPU-2", "before", with_gpu(true)), IsEmpty());
    EXPECT_THAT(foreign_processes("GPU-1", "before", without_any()), IsEmpty());
}

TEST(Probe, NeverThrowsOnThisMachine) {
    const MachineProbe probe = probe_machine();
    EXPECT_THAT(
        probe.driver.text, ::testing::AnyOf(StartsWith("runs CUDA"), StartsWith("not found: "))
    );
}

} // namespace
} // namespace kvprof
