#pragma once

#include "capture/model/error.h"

#include <cstdint>
#include <string>

namespace kvprof::cli {

/// What the program answers to its caller; part of the interface (`kvprof help exit-codes`).
enum class ExitCode : std::uint8_t {
    done = 0,
    difference = 1,
    usage = 2,
    not_comparable = 4,
    not_measured = 5,
    check_failed = 6,
    store = 7,
    internal = 70,
    interrupted = 130,
    terminated = 143
};

[[nodiscard]] ExitCode code_of(const Error& error);

/// The one that wins when several hold: 70, 7, 6, 5, 4, 1, 0. A usage error of one cell of a matrix
/// counts as "could not be measured".
[[nodiscard]] ExitCode worse(ExitCode a, ExitCode b);

/// The table of codes, as `kvprof help exit-codes` prints it.
[[nodiscard]] std::string exit_codes_text();

} // namespace kvprof::cli
