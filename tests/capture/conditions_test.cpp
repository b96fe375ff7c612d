#include "capture/model/conditions.h"

#include "capture/model/foreign_change.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

DeviceState reading(std::string when, std::int64_t reasons) {
    return {
        .when = std::move(when),
        .sm_clock_mhz = 1980,
        .memory_clock_mhz = {},
        .temperature_c = {},
        .power_mw = {},
        .event_reasons = reasons,
        .used_bytes = {},
        .utilization_percent = {}};
}

std::vector<ConditionKind> kinds_of(std::int64_t reasons) {
    std::vector<ConditionKind> kinds;
    for (const Condition& condition :
         conditions_of({.states = {reading("during", reasons)}, .foreign = {}})) {
        kinds.push_back(condition.kind);
    }
    return kinds;
}

TEST(Conditions, FollowFromEachReasonThatSlowsTheDevice) {
    EXPECT_THAT(kinds_of(0x08), ElementsAre(ConditionKind::hw_slowdown));
    EXPECT_THAT(kinds_of(0x20), ElementsAre(ConditionKind::sw_thermal));
    EXPECT_THAT(kinds_of(0x40), ElementsAre(ConditionKind::hw_thermal));
    EXPECT_THAT(kinds_of(0x80), ElementsAre(ConditionKind::hw_power_brake));
    EXPECT_THAT(kinds_of(0x04), ElementsAre(ConditionKind::power_capped));
    EXPECT_THAT(
        kinds_of(0x24), ElementsAre(ConditionKind::sw_thermal, ConditionKind::power_capped)
    );
}

TEST(Conditions, DoNotFollowFromIdlenessOrSettings) {
    EXPECT_THAT(kinds_of(0x1 | 0x2 | 0x10 | 0x100), IsEmpty());
}

TEST(Conditions, DoNotFollowFromWhatWasBeforeAndAfter) {
    EXPECT_THAT(
        conditions_of({.states = {reading("before", 0x08), reading("after", 0x08)}, .foreign = {}}),
        IsEmpty()
    );
}

TEST(Conditions, SayHowOftenAndAtWhichClocks) {
    DeviceState hot = reading("during", 0x20);
    hot.sm_clock_mhz = 1200;
    hot.temperature_c = 88;
    hot.power_mw = 698'500;
    DeviceState hotter = hot;
    hotter.sm_clock_mhz = 1150;
    hotter.temperature_c = 90;
    const WatchedDevice watched{
        .states = {reading("before", 0), reading("during", 0), hot, hotter, reading("after", 0)},
        .foreign = {}};
    EXPECT_THAT(
        conditions_of(watched),
        ElementsAre(Condition{
            ConditionKind::sw_thermal,
            "in 2 of 3 readings; SM clock 1150 to 1200 MHz, up to 90 C, up to 698.5 W"})
    );
}

TEST(Conditions, SayHowOftenWhereNothingElseIsKnown) {
    const DeviceState capped{
        .when = "during",
        .sm_clock_mhz = {},
        .memory_clock_mhz = {},
        .temperature_c = {},
        .power_mw = {},
        .event_reasons = 0x4,
        .used_bytes = {},
        .utilization_percent = {}};
    EXPECT_THAT(
        conditions_of({.states = {capped}, .foreign = {}}),
        ElementsAre(Condition{ConditionKind::power_capped, "in 1 of 1 readings"})
    );
}

std::vector<std::string> changes(const std::vector<ForeignProcess>& seen) {
    return foreign_changes(seen);
}

TEST(ForeignChanges, NameWhoCame) {
    EXPECT_THAT(changes({{"after", 9, 1200 * kMiB}}), ElementsAre("pid 9 came with 1.17 GiB"));
}

TEST(ForeignChanges, NameWhoCameAndWentMeanwhile) {
    EXPECT_THAT(changes({{"during", 9, 10 * kMiB}}), ElementsAre("pid 9 came with 10.0 MiB"));
}

TEST(ForeignChanges, DoNotGiveAnAmountThatTheDriverDidNotTell) {
    EXPECT_THAT(
        changes({{"during", 9, 0}, {"after", 9, 0}}),
        ElementsAre("pid 9 came, with memory that the driver does not tell")
    );
    EXPECT_THAT(changes({{"before", 8, 0}, {"during", 8, kMiB << 10}, {"after", 8, 0}}), IsEmpty());
}

TEST(ForeignChanges, NameWhoWent) {
    EXPECT_THAT(
        changes({{"before", 8, 10}, {"during", 8, 10}, {"after", 9, 10}, {"before", 9, 10}}),
        ElementsAre("pid 8 went")
    );
}

TEST(ForeignChanges, NameWhoGrewAndShrankByMoreThanThirtyTwoMebibytes) {
    EXPECT_THAT(
        changes({{"before", 8, 100 * kMiB}, {"after", 8, 133 * kMiB}}),
        ElementsAre("pid 8 went from 100.0 MiB to 133.0 MiB")
    );
    EXPECT_THAT(
        changes({{"before", 8, 100 * kMiB}, {"during", 8, 0}, {"after", 8, 100 * kMiB}}),
        ElementsAre("pid 8 went from 100.0 MiB to 0 B")
    );
    EXPECT_THAT(
        changes({{"before", 8, 100 * kMiB}, {"during", 8, 68 * kMiB}, {"after", 8, 132 * kMiB}}),
        IsEmpty()
    );
}

TEST(Conditions, HaveOneForeignProcessConditionForAllThatChanged) {
    const WatchedDevice watched{
        .states = {}, .foreign = {{"before", 8, kMiB}, {"during", 9, kMiB}}};
    EXPECT_THAT(
        conditions_of(watched),
        ElementsAre(Condition{ConditionKind::foreign_process, "pid 8 went; pid 9 came with 1.0 MiB"}
        )
    );
}

/// Two readings between which used memory moved.
WatchedDevice moved_by(std::int64_t bytes, bool lists_processes) {
    DeviceState first = reading("during", 0);
    first.used_bytes = 512 * kMiB;
    DeviceState second = first;
    second.used_bytes = *first.used_bytes + bytes;
    return {.states = {first, second}, .foreign = {}, .lists_processes = lists_processes};
}

TEST(Conditions, SeeHiddenProcessesByTheMemoryOfTheDevice) {
    EXPECT_THAT(
        conditions_of(moved_by(33 * kMiB, false)),
        ElementsAre(Condition{
            ConditionKind::foreign_process,
            "used memory moved between 512.0 MiB and 545.0 MiB, and processes are not listed here"})
    );
    EXPECT_THAT(conditions_of(moved_by(32 * kMiB, false)), IsEmpty());
    EXPECT_THAT(conditions_of(moved_by(33 * kMiB, true)), IsEmpty());
}

} // namespace
} // namespace kvprof
