#pragma once

#include "capture/model/units.h"

#include <optional>
#include <string_view>

namespace kvprof {

/// Resident memory of this process, in whole pages; absent where /proc does not tell.
[[nodiscard]] std::optional<Bytes> resident_memory();

/// The second field of /proc/self/statm, in bytes of `page` each.
[[nodiscard]] std::optional<Bytes> resident_in(std::string_view statm, Bytes page);

} // namespace kvprof
