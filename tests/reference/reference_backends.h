#pragma once

#include "tests/reference/reference_ids.h"

/// A scalar model of the backends' metadata, of context parallelism and of state slots, written
/// from their description and not from the kernels' formulas.
namespace kvprof::reference {

/// Where tokens of a static pool lie in its sliding windows: element t is token t's place, 0 has
/// none. Empty: no sliding windows.
using WindowMap = Ids;

/// A static pool's stream under a map: the window's ids, 0 for a token without a place.
[[nodiscard]] Ids window_ids(const Ids& tokens, const WindowMap& map);

/// A static pool's pages of the live prefix, mapped token by token; `read.v2p` takes no part.
[[nodiscard]] std::vector<Ids>
window_block_table(const ReadInputs& read, const WindowMap& map, std::int64_t width);

struct Metadata {
    Ids cache_seqlens;
    Ids cu_seqlens_k;
    Ids cu_seqlens_q;
};

[[nodiscard]] Metadata metadata(const Ids& lens, std::int64_t delta, std::int64_t q_len);

/// Where the step's rows go in a static pool's windows: -1 for a negative id, `out_count` elements.
[[nodiscard]] Ids window_locations(const Ids& loc, const WindowMap& map, std::int64_t out_count);

/// Tokens are dealt to ranks one by one, position p to rank p % dcp.
struct Rank {
    std::int64_t dcp = 1;
    std::int64_t rank = 0;
};

/// Tokens of each lane's window that the rank holds.
[[nodiscard]] Ids local_lens(const Ids& lens, const Ids& starts, const Rank& rank);

/// The rank's ids of each window, one lane after the other: local and virtual, -1 for a hole. The
/// ids in `read` are widened, `read.lens` counts all ranks' tokens.
[[nodiscard]] Ids dcp_stream(const ReadInputs& read, const Ids& starts, const Rank& rank);

/// Slot of each lane; without a v2p the slots are physical already.
[[nodiscard]] Ids state_slots(const Ids& req_to_state, const Ids& rows, const Ids& v2p);

} // namespace kvprof::reference
