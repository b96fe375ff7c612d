#pragma once

#include "cli/commands.h"

#include <string>

namespace CLI {
class App;
} // namespace CLI

namespace kvprof::cli {

/// The words of `kvprof import`, as they were given.
struct ImportTexts {
    std::string side;
    std::string steps = "auto";
    std::string skip_first = "0";
    std::string skip_last = "0";
    std::string keep_events = "0";
    bool allows_partial = false;

    void add_to(CLI::App& verb);
    /// @throws UsageError for a word or number that is none.
    [[nodiscard]] ImportOptions read() const;
};

} // namespace kvprof::cli
