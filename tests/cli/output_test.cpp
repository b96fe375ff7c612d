#include "cli/output.h"

#include "capture/model/error.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace kvprof::cli {
namespace {

class Color : public ::testing::Test {
  protected:
    void SetUp() override {
        for (const char* variable : {"NO_COLOR", "CLICOLOR_FORCE", "FORCE_COLOR"}) {
            unsetenv(variable);
        }
        setenv("TERM", "xterm", 1);
    }
};

TEST_F(Color, FollowsTheTerminal) {
    EXPECT_TRUE(wants_color(ColorMode::automatic, true));
    EXPECT_FALSE(wants_color(ColorMode::automatic, false));
    setenv("TERM", "dumb", 1);
    EXPECT_FALSE(wants_color(ColorMode::automatic, true));
}

TEST_F(Color, YieldsToTheEnvironmentAndThatToTheFlag) {
    setenv("CLICOLOR_FORCE", "1", 1);
    EXPECT_TRUE(wants_color(ColorMode::automatic, false));
    setenv("NO_COLOR", "1", 1);
    EXPECT_FALSE(wants_color(ColorMode::automatic, true));
    EXPECT_TRUE(wants_color(ColorMode::always, false));
    EXPECT_FALSE(wants_color(ColorMode::never, true));
}

TEST(Colored, WrapsVerdictWordsAndNothingElse) {
    EXPECT_EQ(
        colored("a improved b not comparable\n"),
        "a \033[32mimproved\033[0m b \033[33mnot comparable\033[0m\n"
    );
    EXPECT_EQ(colored("same"), "same");
}

TEST(Output, RefusesAFileThatCanNotBeWrittenBeforeAnyWork) {
    CommonOptions options;
    options.output = "/nowhere/result.md";
    EXPECT_THROW(Output{options}, UsageError);
}

TEST(Output, LeavesNoEmptyFileWhenThereIsNothingToWrite) {
    const auto path =
        std::filesystem::temp_directory_path() / ("kvprof_output_" + std::to_string(getpid()));
    std::filesystem::remove(path);
    CommonOptions options;
    options.output = path;
    { const Output output(options); }
    EXPECT_FALSE(std::filesystem::exists(path));
    { Output(options).write("a result"); }
    EXPECT_TRUE(std::filesystem::exists(path));
    { const Output output(options); }
    EXPECT_EQ(std::filesystem::file_size(path), 8U); // it was there before
    std::filesystem::remove(path);
}

} // namespace
} // namespace kvprof::cli
