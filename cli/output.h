#pragma once

#include "cli/commands.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace kvprof::cli {

/// The place of a verb's result: stdout or -o FILE. A file is written beside its place and put
/// there when all of it is written: until then, and when it fails, what stood there stands.
class Output {
  public:
    /// @throws UsageError when the file can not be written, before any work is done.
    explicit Output(const CommonOptions& options);
    /// @throws UsageError when not all of it could be written.
    void write(const std::string& text);

  private:
    const CommonOptions& options_;
    std::filesystem::path target_; ///< where the links of -o FILE lead
    bool is_replaced_ = false;     ///< as a whole; a pipe or a device is written to
};

/// Writes all of the text to a file that is opened in this mode of fopen; false with errno.
[[nodiscard]] bool
write_text(const std::filesystem::path& path, const char* mode, const std::string& text);

/// Whether to colour a stream: --color, NO_COLOR, CLICOLOR_FORCE or FORCE_COLOR, terminal.
[[nodiscard]] bool wants_color(ColorMode mode, bool is_terminal);

/// Colours the words of verdicts and run states; they stay readable without.
[[nodiscard]] std::string colored(std::string_view text);

} // namespace kvprof::cli
