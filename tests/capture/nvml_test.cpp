#include "capture/model/error.h"
#include "tests/capture/fake_nvml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof {
namespace {

using test::FakeNvml;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

DeviceState state_with(const FakeNvml& fake) {
    return Nvml(test::libraries_with(fake)).read_state(fake.uuid, "during");
}

DeviceFacts facts_with(const FakeNvml& fake) {
    return Nvml(test::libraries_with(fake)).facts_of(fake.uuid);
}

/// A driver that has every function and supports none of them.
FakeNvml silent_driver() {
    FakeNvml fake;
    fake.sm_clock = fake.memory_clock = std::nullopt;
    fake.sm_clock_max = fake.memory_clock_max = std::nullopt;
    fake.application_clock = fake.default_application_clock = std::nullopt;
    fake.event_reasons = std::nullopt;
    fake.temperature = fake.power_mw = fake.power_limit_mw = fake.utilization = std::nullopt;
    fake.has_ecc = fake.has_mig = fake.is_confidential = std::nullopt;
    fake.virtualization = std::nullopt;
    fake.processes = std::nullopt;
    return fake;
}

TEST(DeviceReading, HasWhatTheDriverTells) {
    EXPECT_EQ(
        state_with({}),
        (DeviceState{
            .when = "during",
            .sm_clock_mhz = 1755,
            .memory_clock_mhz = 3201,
            .temperature_c = 41,
            .power_mw = 125'000,
            .event_reasons = 0x5,
            .used_bytes = 350,
            .utilization_percent = 97})
    );
}

TEST(DeviceReading, LeavesOutWhatTheDriverDoesNotSupport) {
    EXPECT_EQ(state_with(silent_driver()), (DeviceState{.when = "during", .used_bytes = 350}));
}

TEST(DeviceReading, LeavesOutWhatTheLibraryHasNoFunctionFor) {
    FakeNvml fake;
    fake.missing = {
        "nvmlDeviceGetClockInfo",
        "nvmlDeviceGetTemperature",
        "nvmlDeviceGetPowerUsage",
        "nvmlDeviceGetCurrentClocksEventReasons",
        "nvmlDeviceGetCurrentClocksThrottleReasons",
        "nvmlDeviceGetUtilizationRates"};
    EXPECT_EQ(state_with(fake), (DeviceState{.when = "during", .used_bytes = 350}));
}

TEST(DeviceReading, AsksOlderDriversByTheirOlderNames) {
    FakeNvml fake;
    fake.missing = {
        "nvmlDeviceGetCurrentClocksEventReasons",
        "nvmlDeviceGetMemoryInfo_v2",
        "nvmlDeviceGetComputeRunningProcesses_v3"};
    const Libraries libraries = test::libraries_with(fake);
    const Nvml nvml(libraries);
    EXPECT_EQ(nvml.read_state("GPU-1", "").event_reasons, 0x5);
    EXPECT_EQ(nvml.read_state("GPU-1", "").used_bytes, 400);
    EXPECT_THAT(nvml.processes_of("GPU-1"), ElementsAre(GpuProcess{77, 300}));
}

TEST(DeviceReading, IsEmptyForADeviceThatNvmlDoesNotKnow) {
    const FakeNvml fake;
    const Nvml nvml(test::libraries_with(fake));
    EXPECT_TRUE(nvml.knows("GPU-1"));
    EXPECT_FALSE(nvml.knows("GPU-2"));
    EXPECT_EQ(nvml.read_state("GPU-2", "before"), (DeviceState{.when = "before"}));
    EXPECT_THAT(nvml.processes_of("GPU-2"), IsEmpty());
}

TEST(DeviceSettings, HaveWhatTheDriverTells) {
    EXPECT_EQ(
        facts_with({}),
        (DeviceFacts{
            .mig = "off",
            .ecc = "on",
            .clock_state = "unlocked",
            .virtualization = "passthrough",
            .confidential_compute = "off",
            .power_limit_mw = 700'000,
            .sm_clock_max_mhz = 1980,
            .memory_clock_max_mhz = 3202})
    );
}

TEST(DeviceSettings, AreAbsentFromASilentDriver) {
    EXPECT_EQ(facts_with(silent_driver()), DeviceFacts{});
}

TEST(DeviceSettings, NameTheProfileOfASlice) {
    FakeNvml fake;
    fake.uuid = "MIG-1";
    fake.name = "NVIDIA H200 MIG 1g.18gb";
    const Libraries libraries = test::libraries_with(fake);
    EXPECT_EQ(Nvml(libraries).facts_of("MIG-1").mig, "1g.18gb");
    // CUDA gives the number of the slice without saying what it is of.
    EXPECT_EQ(Nvml(libraries).facts_of("GPU-1").mig, "1g.18gb");
    EXPECT_EQ(Nvml(libraries).read_state("GPU-1", "").sm_clock_mhz, 1755);
}

TEST(DeviceSettings, SayThatABoardIsSliced) {
    FakeNvml fake;
    fake.has_mig = true;
    EXPECT_EQ(facts_with(fake).mig, "on");
}

TEST(SliceProfile, IsTheNameItselfWithoutItsMark) {
    EXPECT_EQ(slice_profile_in("NVIDIA H200 MIG 1g.18gb"), "1g.18gb");
    EXPECT_EQ(slice_profile_in("on"), "on");
}

TEST(ClockState, NamesApplicationClocksThatSomebodySet) {
    FakeNvml fake;
    fake.application_clock = 1410;
    EXPECT_EQ(facts_with(fake).clock_state, "application clocks 1410 MHz");
}

TEST(ClockState, DoesNotFollowTheReasonBitWhereTheClocksAreTold) {
    FakeNvml fake;
    fake.event_reasons = 0x2; // comes and goes with the load
    EXPECT_EQ(facts_with(fake).clock_state, "unlocked");
}

TEST(ClockState, FollowsTheReasonBitWhereTheClocksAreNotTold) {
    FakeNvml fake;
    fake.missing = {"nvmlDeviceGetDefaultApplicationsClock"};
    EXPECT_EQ(facts_with(fake).clock_state, "unlocked");
    fake.event_reasons = 0x3;
    EXPECT_EQ(facts_with(fake).clock_state, "application clocks");
}

TEST(Virtualization, IsNamedAndANewModeNumbered) {
    FakeNvml fake;
    fake.virtualization = 0;
    EXPECT_EQ(facts_with(fake).virtualization, "none");
    fake.virtualization = 2;
    EXPECT_EQ(facts_with(fake).virtualization, "vgpu");
    fake.virtualization = 9;
    EXPECT_EQ(facts_with(fake).virtualization, "mode 9");
}

TEST(ConfidentialComputing, TellsDevtoolsFromTheRealThing) {
    FakeNvml fake;
    fake.is_confidential = true;
    EXPECT_EQ(facts_with(fake).confidential_compute, "on");
    fake.has_devtools = true;
    EXPECT_EQ(facts_with(fake).confidential_compute, "devtools");
}

TEST(GpuProcesses, AreAllListedHoweverMany) {
    FakeNvml fake;
    fake.processes = std::vector<GpuProcess>(200, GpuProcess{5, 1});
    EXPECT_THAT(Nvml(test::libraries_with(fake)).processes_of("GPU-1"), SizeIs(200));
}

TEST(GpuProcesses, HaveNoAmountThatTheDriverDoesNotTell) {
    FakeNvml fake;
    fake.processes = std::vector<GpuProcess>{{5, std::nullopt}};
    EXPECT_THAT(
        Nvml(test::libraries_with(fake)).processes_of("GPU-1"),
        ElementsAre(GpuProcess{5, std::nullopt})
    );
}

TEST(Gpus, AreFoundWhereProcessesAreNotListed) {
    FakeNvml fake;
    fake.processes = std::nullopt;
    const auto gpus = Nvml(test::libraries_with(fake)).devices();
    ASSERT_THAT(gpus, SizeIs(1));
    EXPECT_FALSE(gpus[0].processes.has_value());
    EXPECT_EQ(gpus[0].state.temperature_c, 41);
    EXPECT_EQ(gpus[0].facts.mig, "off");
}

TEST(Nvml, RefusesALibraryWithoutItsOldestFunctions) {
    FakeNvml fake;
    fake.missing = {"nvmlDeviceGetName"};
    EXPECT_THROW(Nvml{test::libraries_with(fake)}, UnavailableError);
}

} // namespace
} // namespace kvprof
