#include "capture/probe.h"

#include "tests/capture/fake_nvml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof {
namespace {

using test::FakeNvml;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

FakeNvml broken_driver() {
    FakeNvml fake;
    fake.starts = false;
    return fake;
}

TEST(Probe, FindsADriverItsDeviceAndCupti) {
    const FakeNvml fake;
    const MachineProbe probe = probe_machine(test::libraries_with(fake));
    EXPECT_EQ(probe.driver, (Finding{true, "runs CUDA up to 13.0"}));
    EXPECT_EQ(probe.driver_version, 13'000);
    EXPECT_EQ(probe.nvml, (Finding{true, "driver 580.1"}));
    EXPECT_TRUE(probe.cupti.found);
    EXPECT_THAT(probe.cupti.text, StartsWith("version 13.0.1 ("));
    EXPECT_EQ(probe.cupti_version, 130'001U);
    ASSERT_EQ(probe.gpus.size(), 1U);
    EXPECT_EQ(probe.gpus[0].name, "NVIDIA H200");
    EXPECT_EQ(probe.gpus[0].free_bytes, 600);
}

TEST(Probe, SaysWhyEachThingIsMissing) {
    const MachineProbe probe = probe_machine(test::no_libraries());
    EXPECT_EQ(probe.driver, (Finding{false, "not found: no such file"}));
    EXPECT_EQ(probe.cupti, (Finding{false, "not found: no such file"}));
    EXPECT_THAT(probe.nvml.text, HasSubstr("could not load NVML: no such file"));
    EXPECT_EQ(probe.driver_version, std::nullopt);
    EXPECT_EQ(probe.cupti_version, 0U);
    EXPECT_THAT(probe.gpus, IsEmpty());
}

TEST(Probe, SaysWhyNvmlDoesNotStart) {
    const FakeNvml fake = broken_driver();
    EXPECT_THAT(
        probe_machine(test::libraries_with(fake)).nvml.text,
        HasSubstr("could not start NVML: Driver Not Loaded")
    );
}

TEST(Probe, NamesASymbolThatALibraryLacks) {
    FakeNvml fake;
    fake.missing = {"nvmlInit_v2"};
    EXPECT_THAT(
        probe_machine(test::libraries_with(fake)).nvml.text, HasSubstr("it has no nvmlInit_v2")
    );
}

int older_cupti_version(std::uint32_t* version) {
    *version = 28;
    return 0;
}

TEST(Probe, DoesNotCountACuptiOfAnotherMajorVersion) {
    Libraries older = test::no_libraries();
    older.open = [](const std::string& file) -> void* {
        return file == "libcupti.so.12" ? reinterpret_cast<void*>(older_cupti_version) : nullptr;
    };
    older.symbol = [](void* library, const char* symbol) -> void* {
        return std::string_view(symbol) == "cuptiGetVersion" ? library : nullptr;
    };
    EXPECT_EQ(
        find_cupti(older),
        (Finding{false, "not usable: libcupti.so.12 is interface 28, before 13, and 13 is needed"})
    );
}

TEST(GpuCount, IsZeroWithoutADriver) {
    EXPECT_EQ(gpu_count(test::no_libraries()), 0);
    FakeNvml fake = broken_driver();
    EXPECT_EQ(gpu_count(test::libraries_with(fake)), 0);
    fake.starts = true;
    EXPECT_EQ(gpu_count(test::libraries_with(fake)), 1);
}

TEST(Probe, NeverThrowsOnThisMachine) {
    const MachineProbe probe = probe_machine();
    EXPECT_THAT(
        probe.driver.text, ::testing::AnyOf(StartsWith("runs CUDA"), StartsWith("not found: "))
    );
}

} // namespace
} // namespace kvprof
