#include "capture/model/error.h"
#include "cli/parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

namespace kvprof::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

RunOptions swept(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "sweep");
    return std::get<RunOptions>(parse(arguments));
}

TEST(ParseSweep, ReadsAxesAndSides) {
    const RunOptions options =
        swept({"--axis", "batch=8,1", "--axis", "seq-len=1Ki,64", "--ab", "grid=ctx", "grid=bs"});
    EXPECT_EQ(options.design.kind, ExperimentKind::sweep);
    EXPECT_THAT(
        options.design.axes,
        ElementsAre(
            experiment::SweptAxis{SweepAxis::batch, {1, 8}},
            experiment::SweptAxis{SweepAxis::seq_len, {64, 1024}}
        )
    );
    EXPECT_EQ(options.design.sides.size(), 2U);
}

TEST(ParseSweep, TimesKernelsWhereThereIsARecorder) {
    EXPECT_EQ(swept({"--executor", "host"}).measure.passes, "timing+nodes");
    EXPECT_EQ(swept({"--executor", "scripted"}).measure.passes, "timing");
    EXPECT_EQ(swept({"--passes", "timing"}).measure.passes, "timing");
}

TEST(ParseSweep, RefusesSidesThatHaveNoName) {
    try {
        static_cast<void>(swept({"--ab", ""}));
        FAIL() << "no side is named";
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("names both"));
    }
}

} // namespace
} // namespace kvprof::cli
