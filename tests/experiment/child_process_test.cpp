#include "capture/experiment/child_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <thread>

namespace kvprof::experiment {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

ChildCommand shell(const std::string& script) {
    ChildCommand command;
    command.program = "/bin/sh";
    command.arguments = {"sh", "-c", script};
    return command;
}

bool is_alive(const std::string& pid) {
    std::ifstream stat("/proc/" + pid + "/stat");
    std::string id;
    std::string name;
    std::string state;
    return stat >> id >> name >> state && state != "Z";
}

/// A process that was killed takes a moment to go; one that was not stays for minutes.
bool is_dead_soon(const std::string& pid) {
    for (int tries = 0; tries < 1'000 && is_alive(pid); ++tries) {
        std::this_thread::sleep_for(5ms);
    }
    return !is_alive(pid);
}

TEST(RunChild, ReportsAnExitCodeWithTheLastLine) {
    const ChildResult result = run_child(shell("echo first; echo second >&2; exit 3"));
    EXPECT_EQ(result.end, ChildEnd::exited);
    EXPECT_EQ(result.code, 3);
    EXPECT_EQ(result.output_tail, "first\nsecond\n");
    EXPECT_EQ(describe(result), "exited with code 3: second");
    const auto hinted = run_child(shell("echo why; echo '  hint: what helps'; exit 7"));
    EXPECT_EQ(describe(hinted), "exited with code 7: why");
    const auto hint_alone = run_child(shell("echo '  hint: what helps'; exit 7"));
    EXPECT_EQ(describe(hint_alone), "exited with code 7");
}

TEST(RunChild, NamesTheSignalThatKilledIt) {
    EXPECT_EQ(describe(run_child(shell("kill -SEGV $$"))), "killed by SIGSEGV");
    EXPECT_EQ(describe(run_child(shell("kill -KILL $$"))), "killed by SIGKILL (out of memory?)");
}

TEST(RunChild, KillsTheWholeGroupWhenTimeIsUp) {
    ChildCommand command = shell("sleep 1000 & echo $!; sleep 1000");
    command.timeout = 50ms;
    const ChildResult result = run_child(command);
    EXPECT_EQ(result.end, ChildEnd::timed_out);
    const std::string grandchild = result.output_tail.substr(0, result.output_tail.find('\n'));
    EXPECT_TRUE(is_dead_soon(grandchild)) << grandchild;
}

TEST(RunChild, ObservesTheTimeoutOfAChildThatClosedItsOutput) {
    ChildCommand command = shell("exec >&- 2>&-; sleep 1000");
    command.timeout = 50ms;
    EXPECT_EQ(run_child(command).end, ChildEnd::timed_out);
}

TEST(RunChild, PassesASignalOn) {
    ChildCommand command = shell("trap 'echo caught; exit 9' INT; while :; do sleep 0.01; done");
    int asked = 0;
    command.stop_signal = [&] { return ++asked > 2 ? SIGINT : 0; };
    const ChildResult result = run_child(command);
    EXPECT_EQ(result.end, ChildEnd::stopped);
    EXPECT_EQ(result.code, 9);
    EXPECT_THAT(result.output_tail, HasSubstr("caught"));
}

TEST(RunChild, KillsAChildThatIgnoresTheSignal) {
    ChildCommand command = shell("trap '' TERM; while :; do sleep 0.01; done");
    command.grace = 10ms;
    command.stop_signal = [] { return SIGTERM; };
    EXPECT_EQ(run_child(command).code, SIGKILL);
}

TEST(RunChild, KeepsTheTailOfALongOutput) {
    const ChildResult result =
        run_child(shell("i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done"));
    EXPECT_EQ(result.output_tail.size(), 4096U);
    EXPECT_THAT(result.output_tail, EndsWith("line 2999\n"));
}

TEST(RunChild, HasNoInput) {
    EXPECT_EQ(run_child(shell("cat; echo done")).output_tail, "done\n");
}

TEST(RunChild, SaysWhyAProgramCouldNotBeExecuted) {
    ChildCommand command;
    command.program = "/nowhere/kvprof";
    command.arguments = {"kvprof"};
    EXPECT_EQ(describe(run_child(command)), "exited with code 127: No such file or directory");
}

} // namespace
} // namespace kvprof::experiment
