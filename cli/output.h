#pragma once

#include "cli/commands.h"

#include <string>
#include <string_view>

namespace kvprof::cli {

/// The place of a verb's result: stdout or -o FILE.
class Output {
  public:
    /// @throws UsageError when the file can not be written, before any work is done.
    explicit Output(const CommonOptions& options);
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    /// Leaves no empty file behind when nothing was written.
    ~Output();

    /// @throws UsageError when not all of it could be written.
    void write(const std::string& text);

  private:
    const CommonOptions& options_;
    bool has_made_file_ = false;
};

/// Whether to colour a stream: --color, NO_COLOR, CLICOLOR_FORCE or FORCE_COLOR, terminal.
[[nodiscard]] bool wants_color(ColorMode mode, bool is_terminal);

/// Colours the words of verdicts and run states; they stay readable without.
[[nodiscard]] std::string colored(std::string_view text);

} // namespace kvprof::cli
