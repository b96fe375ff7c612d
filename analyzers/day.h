#pragma once

#include <string_view>

namespace kvprof::analyzers {

/// Whether the text is a day of the calendar, "2026-12-31". Such texts are in the order of time.
[[nodiscard]] bool is_day(std::string_view text);

} // namespace kvprof::analyzers
