#pragma once

#include "kernels/read_rules.h"

namespace kvprof::kernels {

/// Tokens that lane b of a stream lists: what its length asks for, its row of req_to_token and its
/// grid hold, and the stream has room for. Below 0 when there is no room.
[[nodiscard]] inline std::int64_t listed_tokens(const TokenStreamCall& call, std::int64_t lane) {
    const std::int64_t offset = call.indptr[lane];
    return live_tokens(
        length_in_grid(call, load_index(call.lanes.lens, lane)),
        start_of(call.starts, lane),
        readable_tokens(call.lanes),
        call.capacity - offset
    );
}

} // namespace kvprof::kernels
