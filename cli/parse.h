#pragma once

#include "cli/commands.h"

#include <string>
#include <vector>

namespace kvprof::cli {

/// Reads the arguments that follow the program's name. Opens no file and no device.
/// @throws UsageError for everything that is no command, with the nearest word that is.
[[nodiscard]] Command parse(const std::vector<std::string>& arguments);

} // namespace kvprof::cli
