#pragma once

#include "cli/commands.h"
#include "cli/parse_run.h"

#include <string>
#include <vector>

namespace kvprof::cli {

/// The words of `kvprof tune`, as they were given.
struct TuneTexts {
    std::vector<std::string> shapes;
    std::string threads;
    std::string items;
    std::string blocks;
    std::string splits;
    std::string edges;

    void add_to(CLI::App& verb);

    /// @param words what stands without an option: OP
    /// @throws UsageError for an op without choices, a shape or value that is none or there twice,
    /// a value that is not compiled, and an option of one shape or one choice (--batch,
    /// --index-threads, ...) beside them.
    [[nodiscard]] RowsOptions
    read(const std::vector<std::string>& words, const RunTexts& run) const;

  private:
    [[nodiscard]] experiment::TuneAxes axes(const std::string& op) const;
};

} // namespace kvprof::cli
