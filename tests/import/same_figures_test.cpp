#include "capture/import/byte_source.h"
#include "capture/import/readers.h"
#include "tests/import/written_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include <array>
#include <initializer_list>
#include <locale>
#include <random>
#include <string>
#include <string_view>
#include <utility>

namespace kvprof::import {
namespace {

const std::filesystem::path kTraces = std::filesystem::path(KVPROF_TESTS_DIR) / "data" / "traces";

/// Traces that have what depends on order: steps of both kinds, streams, ranks, nested operators.
constexpr std::array kFiles{
    "h200/h200-fused.json.gz",
    "cases/06_duplicate_correlation.json",
    "cases/08_overlapping_streams.json",
    "cases/10_huge_numbers.json",
    "cases/15_mixed_ranks.json",
    "cases/21_cpu_op_nesting.json",
    "cases/22_piecewise_graph_steps.json",
    "cases/23_async_steps.json",
    "cases/24b_same_stream_overrun.json"};

std::string text_of(const std::filesystem::path& file) {
    ByteSource source(file);
    std::string text;
    std::array<char, 65536> part{};
    while (const std::size_t bytes = source.read(part)) {
        text.append(part.data(), bytes);
    }
    return text;
}

std::string packed(const std::string& text) {
    const test::WrittenFile file("", "packed.gz");
    gzFile to = gzopen(file.path().c_str(), "wb");
    EXPECT_EQ(gzwrite(to, text.data(), static_cast<unsigned>(text.size())), int(text.size()));
    gzclose(to);
    ByteSource check(file.path());
    EXPECT_TRUE(check.is_gzip());
    std::ifstream from(file.path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(from), {}};
}

/// The same events in an order of their own, by Fisher and Yates: std::shuffle is every library's.
std::string shuffled(const std::string& text, std::uint32_t seed) {
    nlohmann::ordered_json trace = nlohmann::ordered_json::parse(text);
    auto& events = trace["traceEvents"];
    std::mt19937 random(seed);
    for (std::size_t left = events.size(); left > 1; --left) {
        std::swap(events[left - 1], events[random() % left]);
    }
    return trace.dump();
}

FileProfile read(const std::string& bytes, std::string_view name = "trace.json") {
    const test::WrittenFile file(bytes, name);
    ReadOptions options;
    options.keep_events = 2;
    FileProfile profile = read_profile(file.path(), options);
    for (ProfileRank& rank : profile.profile.ranks) {
        rank.file = "trace"; // all that may differ
    }
    return profile;
}

void expect_equal(const FileProfile& one, const FileProfile& other) {
    EXPECT_GT(one.kernels.size(), 0U);
    EXPECT_EQ(one.profile, other.profile);
    EXPECT_EQ(one.kernels, other.kernels);
    EXPECT_EQ(one.calls, other.calls);
    EXPECT_EQ(one.events, other.events);
}

TEST(SameFigures, ComeOfATracePlainAndPacked) {
    for (const char* const file : kFiles) {
        SCOPED_TRACE(file);
        const std::string text = text_of(kTraces / file);
        expect_equal(read(text), read(packed(text), "trace.json.gz"));
    }
}

TEST(SameFigures, ComeOfEventsInAnyOrder) {
    for (const char* const file : kFiles) {
        SCOPED_TRACE(file);
        const std::string text = text_of(kTraces / file);
        for (const std::uint32_t seed : {1U, 2U, 3U}) {
            const std::string other = shuffled(text, seed);
            ASSERT_NE(other, nlohmann::ordered_json::parse(text).dump()); // it is another order
            expect_equal(read(text), read(other));
        }
    }
}

TEST(SameFigures, ComeOfMembersInAnyOrder) {
    for (const char* const file : kFiles) {
        SCOPED_TRACE(file);
        const std::string text = text_of(kTraces / file);
        const std::string sorted = nlohmann::json::parse(text).dump(); // "args" before "cat"
        ASSERT_NE(sorted, nlohmann::ordered_json::parse(text).dump());
        expect_equal(read(text), read(sorted));
    }
}

/// A launch of a kernel by a thread, and the kernel.
std::string launched(int id, char name, int at, int thread) {
    const std::string both = fmt::format(R"("args": {{"correlation": {}}}, "dur": 1)", id);
    return fmt::format(
        R"({{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": {}, "tid": {}, )"
        R"("ts": {}, {}}},)"
        R"({{"ph": "X", "cat": "kernel", "name": "{}", "pid": 0, "tid": 7, "ts": {}, {}}})",
        thread / 10,
        thread,
        at,
        both,
        name,
        1000 + 10 * id,
        both
    );
}

// Steps are a period of what is put in order: where times tie, something else must decide.
TEST(SameFigures, ComeOfLaunchesThatBeganTogetherInAnyOrder) {
    std::string events;
    int id = 0;
    const auto add = [&](std::string_view names, std::initializer_list<int> starts, int thread) {
        const auto* start = starts.begin();
        for (const char name : names) {
            events += (events.empty() ? "" : ", ") + launched(++id, name, *start++, thread);
        }
    };
    add("ababab", {1, 1, 2, 3, 4, 5}, 11); // "ab" three times, or else "ba" and then "abab"
    add("xyzxyz", {1, 2, 3, 4, 5, 6}, 12); // as busy a thread of the same process
    add("ababcc", {1, 1, 2, 3, 4, 4}, 21); // another process
    const std::string text = R"({"schemaVersion": 1, "traceEvents": [)" + events + "]}";
    const FileProfile expected = read(text);
    for (std::uint32_t seed = 1; seed <= 8; ++seed) {
        expect_equal(expected, read(shuffled(text, seed)));
    }
}

TEST(SameFigures, ComeOfTwoGpusThatAreAsBusyInAnyOrder) {
    const auto on = [](int device) {
        return fmt::format(
            R"({{"ph": "X", "cat": "kernel", "name": "k", "pid": {0}, "tid": 7, "ts": 1, "dur": 1, )"
            R"("args": {{"device": {0}}}}})",
            device
        );
    };
    const auto trace = [](const std::string& events) {
        return R"({"deviceProperties": [{"id": 0, "name": "A"}, {"id": 1, "name": "B"}], )"
               R"("traceEvents": [)"
               + events + "]}";
    };
    const FileProfile expected = read(trace(on(0) + "," + on(1)));
    EXPECT_EQ(expected.profile.ranks.at(0).gpu, "A");
    expect_equal(expected, read(trace(on(1) + "," + on(0))));
}

/// "1.234,5" for 1234.5.
class DecimalComma final : public std::numpunct<char> {
    char do_decimal_point() const override { return ','; }

    char do_thousands_sep() const override { return '.'; }

    std::string do_grouping() const override { return "\3"; }
};

TEST(SameFigures, ComeUnderALocaleWithADecimalComma) {
    for (const char* const file : kFiles) {
        SCOPED_TRACE(file);
        const std::string text = text_of(kTraces / file);
        const FileProfile expected = read(text);
        // The locale owns its facet.
        const std::locale before =
            std::locale::global(std::locale(std::locale::classic(), new DecimalComma));
        const FileProfile found = read(text);
        std::locale::global(before);
        expect_equal(expected, found);
    }
}

} // namespace
} // namespace kvprof::import
