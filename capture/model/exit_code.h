#pragma once

#include <cstdint>

namespace kvprof {

/// What the program answers to its caller, and what a run alone would make it answer; part of the
/// interface (`kvprof help exit-codes`).
enum class ExitCode : std::uint8_t {
    done = 0,
    difference = 1,
    usage = 2,
    inconclusive = 3,
    not_comparable = 4,
    not_measured = 5,
    check_failed = 6,
    store = 7,
    internal = 70,
    interrupted = 130,
    terminated = 143
};

} // namespace kvprof
