#pragma once

#include <cstdio>
#include <string>

namespace kvprof::cli {

/// Writes a message. What the file does not take is lost: it must not cost the result or a run.
void say(const std::string& text, std::FILE* file = stderr) noexcept;

/// Sees to it that no file of this program becomes its stdin, stdout or stderr, which whoever
/// started it may have closed. Writing to them still fails.
void hold_standard_streams() noexcept;

} // namespace kvprof::cli
