#pragma once

#include "kernels/calls.h"

#include <cstdint>
#include <vector>

namespace kvprof::reference {

/// One query head of one lane, attending positions start, start + step, ... below len.
struct ReferenceRequest {
    std::int64_t len = 0; ///< tokens in context, the new one included
    std::int64_t start = 0;
    std::int64_t step = 1; ///< between positions
    std::int64_t owner = 0;
    std::int64_t shared_tokens = 0;
    std::int64_t shared_owner = 0;
    std::uint64_t seed = 0;
    kernels::HeadShape heads;
    bool is_v_in_k = false; ///< MLA
    std::int64_t plane = 0;
    std::int64_t head = 0;
    double scale = 1.0;
};

/// [dim_v], in double precision, from what each token *is*: no index and no pool takes part.
[[nodiscard]] std::vector<double> reference_attention(const ReferenceRequest& request);

} // namespace kvprof::reference
