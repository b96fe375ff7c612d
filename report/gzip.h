#pragma once

#include <string>
#include <string_view>

namespace kvprof::report {

/// The text as a file of gzip (RFC 1952). Neither a time nor a name stands in it, so that the same
/// text gives the same bytes.
[[nodiscard]] std::string gzip(std::string_view text);

/// What a file of gzip holds; a text that is none comes back as it is. @throws UsageError when it
/// is cut off or damaged, holds over 1 GiB, or does not end its file.
[[nodiscard]] std::string gunzip(std::string_view text);

} // namespace kvprof::report
