#include "capture/device_watch.h"

#include "tests/capture/fake_nvml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <latch>
#include <thread>

namespace kvprof {
namespace {

using test::FakeNvml;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kNoSuchPid = 2'147'483'646; // above the kernel's largest

DeviceReading
reading(std::string_view when, std::int64_t clock, std::int64_t reasons, Company company = {}) {
    DeviceReading made;
    made.state.when = when;
    made.state.sm_clock_mhz = clock;
    made.state.event_reasons = reasons;
    made.company = std::move(company);
    return made;
}

std::vector<std::int64_t> clocks_of(const WatchedDevice& watched) {
    std::vector<std::int64_t> clocks;
    for (const DeviceState& state : watched.states) {
        clocks.push_back(state.sm_clock_mhz.value());
    }
    return clocks;
}

TEST(DeviceLog, KeepsReadingsInTheirOrder) {
    DeviceLog log;
    log.add(reading("before", 1, 0));
    log.add(reading("during", 2, 0));
    log.add(reading("during", 3, 0));
    log.add(reading("after", 4, 0));
    EXPECT_THAT(clocks_of(log.watched()), ElementsAre(1, 2, 3, 4));
}

TEST(DeviceLog, ThinsReadingsDuringWhenThereAreTooMany) {
    DeviceLog log(4);
    log.add(reading("before", -1, 0));
    for (std::int64_t i = 0; i < 11; ++i) {
        log.add(reading("during", i, 0));
    }
    log.add(reading("after", -2, 0));
    EXPECT_THAT(clocks_of(log.watched()), ElementsAre(-1, 0, 4, 8, -2));
}

TEST(DeviceLog, LosesNoReasonOfAReadingThatItLeavesOut) {
    DeviceLog log(4);
    for (std::int64_t i = 0; i < 11; ++i) {
        log.add(reading("during", i, i == 3 ? 0x20 : i == 9 ? 0x4 : 0));
    }
    std::vector<std::int64_t> reasons;
    for (const DeviceState& state : log.watched().states) {
        reasons.push_back(state.event_reasons.value());
    }
    EXPECT_THAT(reasons, ElementsAre(0x20, 0, 0x4));
}

TEST(DeviceLog, KeepsAReasonAbsentThatWasNeverTold) {
    DeviceLog log(2);
    for (std::int64_t i = 0; i < 4; ++i) {
        DeviceReading silent = reading("during", i, 0);
        silent.state.event_reasons.reset();
        log.add(std::move(silent));
    }
    for (const DeviceState& state : log.watched().states) {
        EXPECT_FALSE(state.event_reasons.has_value());
    }
}

TEST(DeviceLog, KeepsOfEachProcessTheMemoryThatDifferedMost) {
    const auto with = [](std::string_view when, std::int64_t bytes) {
        return reading(when, 0, 0, {{{std::string(when), 9, bytes}}, true});
    };
    DeviceLog log;
    log.add(with("before", 100));
    log.add(with("during", 110));
    log.add(with("during", 70));
    log.add(with("during", 120));
    log.add(with("after", 100));
    EXPECT_THAT(
        log.watched().foreign,
        ElementsAre(
            ForeignProcess{"before", 9, 100},
            ForeignProcess{"during", 9, 70},
            ForeignProcess{"after", 9, 100}
        )
    );
}

TEST(DeviceLog, SeesWhoCameAndWentMeanwhile) {
    DeviceLog log;
    log.add(reading("before", 0, 0, {{{"before", 8, 5}}, true}));
    log.add(reading("during", 0, 0, {{{"during", 9, 100}}, true}));
    log.add(reading("during", 0, 0, {{{"during", 8, 5}}, true}));
    log.add(reading("after", 0, 0, {{{"after", 8, 5}}, true}));
    EXPECT_THAT(
        log.watched().foreign,
        ElementsAre(
            ForeignProcess{"before", 8, 5},
            ForeignProcess{"during", 8, 0},
            ForeignProcess{"during", 9, 100},
            ForeignProcess{"after", 8, 5}
        )
    );
}

TEST(DeviceLog, SaysWhetherProcessesAreListed) {
    DeviceLog log;
    log.add(reading("before", 0, 0));
    EXPECT_FALSE(log.watched().lists_processes);
    log.add(reading("during", 0, 0, {{}, true}));
    EXPECT_TRUE(log.watched().lists_processes);
}

TEST(DeviceWatch, LooksBeforeDuringAndAfter) {
    std::vector<std::string> looks;
    std::thread::id of_during;
    std::latch is_watching(1);
    DeviceWatch watch(
        [&](std::string_view when) {
            looks.emplace_back(when);
            if (when == "during") {
                of_during = std::this_thread::get_id();
                is_watching.count_down();
            }
            return std::optional(reading(when, 0, 0));
        },
        std::chrono::hours{1}
    );
    is_watching.wait();
    EXPECT_EQ(watch.stop().states.size(), 3U);
    EXPECT_THAT(looks, ElementsAre("before", "during", "after"));
    EXPECT_NE(of_during, std::this_thread::get_id());
}

TEST(DeviceWatch, LooksOnceAtADeviceThatItCanNotSee) {
    int looks = 0;
    DeviceWatch watch([&](std::string_view /*when*/) {
        ++looks;
        return std::optional<DeviceReading>();
    });
    EXPECT_EQ(watch.stop(), (WatchedDevice{.states = {}, .foreign = {}, .lists_processes = false}));
    EXPECT_EQ(looks, 1);
}

TEST(DeviceWatch, EndsWithItsScope) {
    const DeviceWatch watch(
        [](std::string_view when) { return std::optional(reading(when, 0, 0)); },
        std::chrono::hours{1}
    );
}

TEST(DeviceReader, ReadsTheDeviceAndItsCompany) {
    FakeNvml fake;
    fake.processes = std::vector<GpuProcess>{{1, 300}, {getpid(), 100}};
    const auto look = device_reader("GPU-1", test::libraries_with(fake))("during");
    ASSERT_TRUE(look.has_value());
    EXPECT_EQ(look->state.sm_clock_mhz, 1755);
    EXPECT_EQ(look->company, (Company{{{"during", 1, 300}}, true, 100}));
}

TEST(DeviceReader, IsBlindWithoutNvmlAndForADeviceThatItDoesNotKnow) {
    const FakeNvml fake;
    EXPECT_FALSE(device_reader("GPU-1", test::no_libraries())("before").has_value());
    EXPECT_FALSE(device_reader("host-a", test::libraries_with(fake))("before").has_value());
}

Company company(std::vector<GpuProcess> listed, const ProcessExists& exists) {
    return company_in(std::move(listed), "before", 10, exists);
}

TEST(Company, LeavesOutThisProcess) {
    EXPECT_EQ(
        company({{7, 1}, {10, 5}, {8, 2}}, [](std::int64_t) { return false; }),
        (Company{{{"before", 7, 1}, {"before", 8, 2}}, true, 5})
    );
}

TEST(Company, TakesTheLargestForThisProcessWhereTheHostNumbersProcesses) {
    EXPECT_EQ(
        company({{7, 1}, {12, 5}, {8, 2}}, [](std::int64_t) { return false; }),
        (Company{{{"before", 7, 1}, {"before", 8, 2}}, true, 5})
    );
}

TEST(Company, IsAllOfAListThatHidesThisProcessAlone) {
    EXPECT_EQ(
        company({{7, 1}, {12, 5}}, [](std::int64_t pid) { return pid == 7; }),
        (Company{{{"before", 7, 1}, {"before", 12, 5}}, false})
    );
}

TEST(Company, HasNoAmountForThisProcessWhereTheDriverDoesNotTell) {
    EXPECT_EQ(
        company({{7, std::nullopt}, {10, std::nullopt}}, [](std::int64_t) { return true; }),
        (Company{{{"before", 7, 0}}, true, std::nullopt})
    );
}

TEST(Company, IsUnknownWhereNobodyIsListed) {
    EXPECT_EQ(company({}, [](std::int64_t) { return true; }), (Company{{}, false}));
}

TEST(ForeignProcesses, LeaveOutThisProcessAndOtherDevices) {
    FakeNvml fake;
    fake.processes = std::vector<GpuProcess>{{77, 300}, {getpid(), 100}};
    const Libraries libraries = test::libraries_with(fake);
    EXPECT_THAT(
        foreign_processes("GPU-1", "before", libraries),
        ElementsAre(ForeignProcess{"before", 77, 300})
    );
    EXPECT_THAT(foreign_processes("GPU-2", "before", libraries), IsEmpty());
    EXPECT_THAT(foreign_processes("GPU-1", "before", test::no_libraries()), IsEmpty());
}

TEST(ForeignProcesses, LeaveOutThisProcessUnderTheHostsNumber) {
    FakeNvml fake;
    fake.processes = std::vector<GpuProcess>{{kNoSuchPid, 300}};
    EXPECT_THAT(foreign_processes("GPU-1", "before", test::libraries_with(fake)), IsEmpty());
}

} // namespace
} // namespace kvprof
