#include "analyzers/memory_marks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace kvprof::analyzers {
namespace {

using enum MemoryMark;
using Source = MemorySource;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr Bytes kSlack{2 * kMiB};

MarkReading reading(MemoryMark mark, Source source, std::int64_t bytes) {
    return {mark, source, Bytes{bytes}};
}

/// The change of one source at one mark, in words.
std::string said(
    const std::vector<MarkReading>& readings,
    MemoryMark mark,
    Source source,
    std::optional<Bytes> slack = kSlack
) {
    for (const MarkChange& change : mark_changes(readings, slack)) {
        if (change.mark == mark && change.source == source) {
            return describe(change, slack);
        }
    }
    throw std::logic_error("no such reading");
}

/// Graph buffers of 288.75 MiB that a held block serves; then an executable that the driver serves.
const std::vector<MarkReading> kCached{
    reading(warmed, Source::ledger, 0),
    reading(warmed, Source::device_free, 0),
    reading(buffers, Source::ledger, 302'776'320),
    reading(buffers, Source::device_free, 0),
    reading(instantiated, Source::ledger, 302'776'320),
    reading(instantiated, Source::device_free, 0)};

TEST(MarkChanges, SayThatAHeldBlockServedWhatTheLedgerGained) {
    EXPECT_EQ(said(kCached, buffers, Source::ledger), "+288.8 MiB");
    EXPECT_EQ(said(kCached, buffers, Source::device_free), "satisfied from a cached block");
}

TEST(MarkChanges, ProveNothingByAZeroBelowTheSlack) {
    const std::string unresolved = "0 B observed; unresolved below slack 2.0 MiB";
    EXPECT_EQ(said(kCached, instantiated, Source::device_free), unresolved);
    const std::vector<MarkReading> small{
        reading(warmed, Source::ledger, 0),
        reading(warmed, Source::device_free, 0),
        reading(buffers, Source::ledger, 64 * 1024),
        reading(buffers, Source::device_free, 0)};
    EXPECT_EQ(said(small, buffers, Source::device_free), unresolved);
    EXPECT_EQ(
        said(small, buffers, Source::device_free, std::nullopt), "satisfied from a cached block"
    );
    EXPECT_EQ(
        said(kCached, instantiated, Source::device_free, std::nullopt),
        "0 B observed; unresolved (slack unknown)"
    );
}

TEST(MarkChanges, CountFromTheMarkBeforeOfTheSameSource) {
    const std::vector<MarkReading> readings{
        reading(warmed, Source::device_free, 0),
        reading(warmed, Source::device_used_nvml, 700 * kMiB),
        reading(buffers, Source::device_free, 64 * kMiB),
        reading(buffers, Source::device_used_nvml, 764 * kMiB),
        reading(captured, Source::device_free, 60 * kMiB),
        reading(captured, Source::device_used_nvml, 764 * kMiB)};
    EXPECT_EQ(said(readings, warmed, Source::device_free), "-");
    EXPECT_EQ(said(readings, buffers, Source::device_free), "+64.0 MiB");
    EXPECT_EQ(said(readings, buffers, Source::device_used_nvml), "+64.0 MiB");
    EXPECT_EQ(said(readings, captured, Source::device_free), "-4.0 MiB");
    EXPECT_EQ(
        said(readings, captured, Source::device_used_nvml),
        "0 B observed; unresolved below slack 2.0 MiB"
    );
}

TEST(MarkChanges, TakeAZeroOfACountingSourceAsAZero) {
    const std::vector<MarkReading> readings{
        reading(uploaded, Source::graph_reserved, 0),
        reading(uploaded, Source::ledger, 512),
        reading(first_replay, Source::graph_reserved, 67'108'864),
        reading(first_replay, Source::ledger, 512),
        reading(replayed, Source::graph_reserved, 67'108'864)};
    EXPECT_EQ(said(readings, first_replay, Source::graph_reserved), "+64.0 MiB");
    EXPECT_EQ(said(readings, first_replay, Source::ledger), "0 B");
    EXPECT_EQ(said(readings, replayed, Source::graph_reserved), "0 B");
}

TEST(MarkChanges, CountAPeakFromTheFirstMark) {
    const std::vector<MarkReading> readings{
        reading(warmed, Source::device_free, 0),
        reading(first_replay, Source::device_free, 4 * kMiB),
        reading(first_replay, Source::device_free_peak, 36 * kMiB)};
    EXPECT_EQ(said(readings, first_replay, Source::device_free_peak), "+36.0 MiB");
}

TEST(MarkChanges, KeepTheOrderAndTheValuesOfTheReadings) {
    const auto changes = mark_changes(kCached, kSlack);
    ASSERT_EQ(changes.size(), kCached.size());
    for (std::size_t i = 0; i < changes.size(); ++i) {
        EXPECT_EQ(changes[i].mark, kCached[i].mark);
        EXPECT_EQ(changes[i].source, kCached[i].source);
        EXPECT_EQ(changes[i].value, kCached[i].bytes);
    }
}

} // namespace
} // namespace kvprof::analyzers
