#include "capture/import/captures.h"
#include "tests/import/profile_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace kvprof::import {
namespace {

using test::ProfileRig;
using testing::ElementsAre;
using testing::IsEmpty;

/// "a < b > c": b has run between a and c; "-" where nothing did. In alphabetical order.
std::vector<std::string>
words_of(const std::vector<KernelNeighbours>& neighbours, const std::vector<KernelStat>& kernels) {
    const auto name = [&](std::optional<std::int64_t> at) {
        return at ? kernels.at(static_cast<std::size_t>(*at)).name : std::string("-");
    };
    std::vector<std::string> words;
    for (const KernelNeighbours& one : neighbours) {
        words.push_back(name(one.before) + " < " + name(one.kernel) + " > " + name(one.after));
    }
    std::sort(words.begin(), words.end());
    return words;
}

/// Kernels of 1 ns that start every 10 ns on one stream.
void run_in_turn(ProfileRig& rig, const std::vector<std::string>& names) {
    std::int64_t start = 0;
    for (const std::string& name : names) {
        rig.kernel({.start = start += 10, .duration = 1, .name = name});
    }
}

std::vector<std::string> words_of(const FileProfile& file) {
    return words_of(file.profile.neighbours, file.kernels);
}

TEST(Neighbours, AreTheKernelsBeforeAndAfterOnTheStream) {
    ProfileRig rig;
    run_in_turn(rig, {"a", "b", "c"});
    rig.kernel({.start = 15, .duration = 1, .name = "elsewhere", .stream = "8"});
    rig.work(EventKind::memory_copy, {.start = 25, .duration = 1, .name = "Memcpy DtoH"});
    EXPECT_THAT(words_of(rig.finish().file), ElementsAre("- < a > b", "a < b > c", "b < c > -"));
}

TEST(Neighbours, AreTheMostFrequentOnesThenTheFirstByName) {
    ProfileRig rig;
    run_in_turn(rig, {"k", "x", "k", "y", "k", "y", "k", "a"});
    // k: before it x once and y twice; after it x and a once, y twice
    const auto words = words_of(rig.finish().file);
    EXPECT_THAT(words, testing::Contains("y < k > y"));
    ProfileRig even;
    run_in_turn(even, {"k", "y", "k", "x", "k"});
    EXPECT_THAT(words_of(even.finish().file), testing::Contains("x < k > x"));
}

TEST(Neighbours, KernelsThatTimeDoesNotTellApartAreNobodysInEveryOrder) {
    for (const bool is_b_first : {false, true}) {
        ProfileRig rig;
        rig.kernel({.start = 0, .duration = 1, .name = "a"});
        for (const char* name : {is_b_first ? "b" : "c", is_b_first ? "c" : "b", "b"}) {
            rig.kernel({.start = 10, .duration = 1, .name = name});
        }
        rig.kernel({.start = 20, .duration = 1, .name = "d"});
        rig.kernel({.start = 30, .duration = 1, .name = "e"});
        EXPECT_THAT(words_of(rig.finish().file), ElementsAre("- < d > e", "d < e > -"));
    }
}

TEST(Neighbours, AKernelWithoutATimeIsNobodys) {
    ProfileRig rig;
    run_in_turn(rig, {"a"});
    rig.kernel({.start = 0, .duration = 0, .name = "b", .has_time = false});
    EXPECT_THAT(words_of(rig.finish().file), IsEmpty());
}

TEST(Neighbours, OfSeveralRanksTheFirstThatKnowsSaysThem) {
    std::vector<FileProfile> files;
    for (const char* rank : {"0", "1"}) {
        ProfileRig rig;
        rig.builder.set_rank(rank);
        run_in_turn(
            rig,
            *rank == '0' ? std::vector<std::string>{"a", "b"}
                         : std::vector<std::string>{"c", "b", "a"}
        );
        files.push_back(rig.finish().file);
    }
    const kvprof::Run run = run_of(std::move(files));
    EXPECT_THAT(
        words_of(run.profile->neighbours, run.kernels),
        ElementsAre("- < a > b", "- < c > b", "a < b > -")
    );
    EXPECT_TRUE(std::is_sorted(
        run.profile->neighbours.begin(),
        run.profile->neighbours.end(),
        [](const KernelNeighbours& a, const KernelNeighbours& b) { return a.kernel < b.kernel; }
    ));
}

} // namespace
} // namespace kvprof::import
