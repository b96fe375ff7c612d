#pragma once

#include "kernels/calls.h"

#include <string_view>

namespace kvprof::kernels {

/// Name of the kernel that a call launches, such as "page_table" or "map_floor_div". Static text.
[[nodiscard]] std::string_view name_of(const KernelCall& call);

} // namespace kvprof::kernels
