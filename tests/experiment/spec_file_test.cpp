#include "capture/experiment/spec_file.h"

#include "capture/model/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::experiment {
namespace {

using ::testing::HasSubstr;

Assignment unusual() {
    Assignment assignment;
    assignment.step.preset = "shapes/odd = name.toml";
    assignment.step.index_mode = IndexMode::rectangle;
    assignment.step.holes = 0.1;
    assignment.step.seed = -7;
    assignment.measure.executor = ExecutorKind::host;
    assignment.measure.warmup_max_s = 1e-3;
    return assignment;
}

TEST(Assignment, ReadsBackWhatItWrote) {
    EXPECT_EQ(parse_assignment(format_assignment(unusual())), unusual());
}

TEST(Assignment, OfAFullDiskIsNotHandedOn) {
    EXPECT_THROW(write_assignment("/dev/full", unusual()), UnavailableError);
}

TEST(Assignment, IsOneLineAField) {
    const std::string text = format_assignment(unusual());
    EXPECT_THAT(text, HasSubstr("\nstep.index-mode=rectangle\n"));
    EXPECT_THAT(text, HasSubstr("\nmeasure.executor=host\n"));
}

TEST(Assignment, RefusesAnUnknownLine) {
    EXPECT_THROW((void)parse_assignment("step.colour=red\n"), BadDataError);
    EXPECT_THROW((void)parse_assignment("batch=1\n"), BadDataError);
    EXPECT_THROW((void)parse_assignment("step.batch\n"), BadDataError);
}

TEST(Assignment, RefusesALineBreakInAValue) {
    Assignment assignment;
    assignment.step.preset = "a\nb";
    EXPECT_THROW((void)format_assignment(assignment), UsageError);
}

} // namespace
} // namespace kvprof::experiment
