#pragma once

#include <string>

namespace CLI {
class App;
} // namespace CLI

namespace kvprof::cli {

/// Examples, usage and options of a verb, 100 columns wide; of the program when `app` has verbs.
[[nodiscard]] std::string help_text(const CLI::App& app);

} // namespace kvprof::cli
