#include "cli/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

namespace kvprof::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string written_by(bool is_terminal, const std::function<void(Progress&)>& action) {
    char* text = nullptr;
    std::size_t size = 0;
    std::FILE* file = open_memstream(&text, &size);
    {
        Progress progress(file, is_terminal, 4);
        action(progress);
    }
    std::fclose(file);
    std::string result(text, size);
    std::free(text);
    return result;
}

Run run_with(RunState state, const char* reason) {
    Run run;
    run.status = {state, reason, 0};
    run.notes = {"not-steady: a note"};
    return run;
}

TEST(Progress, IsOneLineForEachStoredRunInALog) {
    const std::string text = written_by(false, [](Progress& progress) {
        progress.start(1, "batch=8");
        progress.tick();
        progress.stored(run_with(RunState::complete, ""), false);
    });
    EXPECT_THAT(text, StartsWith("[2/4] batch=8: complete ("));
    EXPECT_THAT(text, EndsWith(" s)\n"));
}

TEST(Progress, SaysWhyARunWasNotMeasured) {
    const std::string text = written_by(true, [](Progress& progress) {
        progress.start(0, "");
        progress.stored(run_with(RunState::not_run, "no GPU"), false);
    });
    EXPECT_THAT(text, HasSubstr("[1/4] run: not-run: no GPU ("));
}

TEST(Progress, ClearsItsLineOnATerminal) {
    const std::string text = written_by(true, [](Progress& progress) {
        progress.start(0, "batch=8");
        progress.stored(run_with(RunState::complete, ""), false);
    });
    EXPECT_EQ(text, "\r\033[K[1/4] batch=8  0 s\r\033[K");
}

TEST(Progress, ShowsNotesWhenAsked) {
    const std::string text = written_by(false, [](Progress& progress) {
        progress.start(0, "");
        progress.stored(run_with(RunState::complete, ""), true);
    });
    EXPECT_THAT(text, EndsWith("    not-steady: a note\n"));
}

} // namespace
} // namespace kvprof::cli
