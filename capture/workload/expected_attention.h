#pragma once

#include "kernels/calls.h"

#include <cstdint>
#include <span>
#include <vector>

namespace kvprof::workload {

/// Query heads first_head .. first_head + head_count - 1 of one lane, attending positions
/// start, start + step, ... below len: all of them, or those of one context-parallel rank. Position
/// p belongs to shared_owner where p < shared_tokens and to `owner` elsewhere; the newest token is
/// always the lane's own, because the step itself writes it.
struct ExpectedAttention {
    std::int64_t len = 0; ///< tokens in context, the new one included
    std::int64_t start = 0;
    std::int64_t step = 1;
    std::int64_t owner = 0;
    std::int64_t shared_tokens = 0;
    std::int64_t shared_owner = 0;
    std::uint64_t seed = 0;
    kernels::HeadShape heads;
    bool is_v_in_k = false; ///< MLA
    std::int64_t plane = 0; ///< of K; V is one further, or K's own for MLA
    std::int64_t first_head = 0;
    std::int64_t head_count = 1;
    double scale = 1.0;
};

/// [head_count, dim_v] of each request in double precision, from what each token *is*: no index and
/// no pool takes part, so a step that read a wrong row disagrees. No tokens give zeros. Every token
/// is hashed once for all heads of a request. The positions of all requests are dealt over the
/// machine's threads in parts of one size, so the result does not depend on their number.
[[nodiscard]] std::vector<std::vector<double>>
expected_attentions(std::span<const ExpectedAttention> requests);

/// Of one request.
[[nodiscard]] std::vector<double> expected_attention(const ExpectedAttention& request);

} // namespace kvprof::workload
