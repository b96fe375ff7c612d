#pragma once

#include "kernels/index_types.h"

#include <cstdint>

/// One launch for all index work of a decode step on a unified pool.
namespace kvprof::kernels {

/// One token pool's part of a fused launch. Lane b lists its last n[b] = min(len, window) tokens,
/// len = call.lens[b] + call.delta, from position starts[b] = len - n[b]; indptr is the exclusive
/// prefix sum of n. stream[indptr[b] + p] = kernel-facing id of position starts[b] + p, p < n[b],
/// through this pool's v2p; nothing is written at or past `capacity` elements. write_loc[i] = write
/// id of call.loc[i], as of a WriteLocCall.
struct FusedStream {
    V2p v2p;
    std::int64_t mult = 1;
    std::int64_t window = 0;      ///< most tokens that a lane lists; 0: all, as in the full stream
    std::int32_t* lens = nullptr; ///< n, [batch]; or null
    std::int32_t* starts = nullptr; ///< [batch] or null
    std::int32_t* indptr = nullptr; ///< [batch + 1]
    MutableIndexArray stream;
    std::int64_t capacity = 0;
    std::int64_t* write_loc = nullptr; ///< [out_count] or null
};

/// Row starts, token stream and write locations of a step in one launch, and of its sliding windows
/// where there are any: what a length cast, IndptrCall, TokenStreamCall and WriteLocCall give, and
/// for windows two MapCalls and these again. No launch has to come before it. Both streams have the
/// element types that the first one has. Nothing is done for an empty batch.
struct FusedMetadataCall {
    const std::int32_t* req_to_token = nullptr; ///< [max_reqs + 1, req_columns], -1 is a hole
    std::int64_t req_columns = 0;
    const std::int64_t* rows = nullptr; ///< [batch]
    IndexArray lens;                    ///< [batch], tokens per lane
    std::int64_t delta = 0; ///< tokens by which readers exceed each length; no sum is below 0
    std::int64_t page_size = 1;
    std::int64_t batch = 0;
    FusedStream full;
    FusedStream windows;               ///< no indptr: there are none
    const std::int64_t* loc = nullptr; ///< [count], token ids; may be full.write_loc
    std::int64_t count = 0;
    std::int64_t out_count = 0; ///< elements count .. out_count - 1 of write_loc are set to 0
    bool starts_early = true;   ///< as Tuning::starts_early
};

} // namespace kvprof::kernels
