#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace kvprof::experiment {

enum class ChildEnd : std::uint8_t { exited, signalled, timed_out, stopped };

/// How a child process ended.
struct ChildResult {
    ChildEnd end = ChildEnd::exited;
    int code = 0; ///< exit code, or the signal's number
    std::int64_t pid = 0;
    std::string output_tail; ///< last 4 KiB of stdout and stderr together

    friend bool operator==(const ChildResult&, const ChildResult&) = default;
};

struct ChildCommand {
    std::string program;
    std::vector<std::string> arguments;     ///< [0] is the name that ps shows
    std::chrono::milliseconds timeout{0};   ///< 0: none
    std::chrono::milliseconds grace{2'000}; ///< between passing a signal on and killing it
    std::function<int()> stop_signal;       ///< the signal to pass on now, 0 for none
    std::function<void()> tick;             ///< called some ten times a second
};

/// Runs a process in its own process group, until it ends, is stopped or runs out of time. It dies
/// with this process, however that ends. @throws UnavailableError when no process can be made.
[[nodiscard]] ChildResult run_child(const ChildCommand& command);

/// "killed by SIGKILL (out of memory?)", "exited with code 3: <last line>", "ran out of time".
[[nodiscard]] std::string describe(const ChildResult& result);

} // namespace kvprof::experiment
