#pragma once

#include "kernels/calls.h"

#include <cstdint>
#include <optional>

namespace kvprof::kernels {

/// Bytes that a launch has to move at least: every input element that its outputs depend on, read
/// once, and every output element, written once. What a lane has for itself counts for each lane,
/// so a prefix that lanes share counts as often as it is attended, and a page's one element of
/// req_to_token and of v2p once a page. What a kernel generates (queries, contents) and what it
/// reads to guard itself are no inputs. Lengths and masks are read through the call's pointers,
/// which are host memory; ids are not followed, so a hole counts as an id. Absent for a kernel of
/// which no such number is known.
[[nodiscard]] std::optional<std::int64_t> least_bytes(const KernelCall& call);

} // namespace kvprof::kernels
