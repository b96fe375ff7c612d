#pragma once

#include "capture/model/error.h"
#include "capture/model/exit_code.h"

#include <span>
#include <string>
#include <utility>

namespace kvprof::cli {

using kvprof::ExitCode;

/// Every code with what it says.
[[nodiscard]] std::span<const std::pair<ExitCode, const char*>> exit_codes();

/// Which code wins when several hold.
[[nodiscard]] const char* exit_code_precedence();

[[nodiscard]] ExitCode code_of(const Error& error);

/// The one that wins when several hold: 70, 7, 6, 5, 4, 1, 3, 0. A usage error of one cell of a
/// matrix counts as "could not be measured".
[[nodiscard]] ExitCode worse(ExitCode a, ExitCode b);

/// The table of codes, as `kvprof help exit-codes` prints it.
[[nodiscard]] std::string exit_codes_text();

} // namespace kvprof::cli
