#pragma once

namespace kvprof::bench {

/// Prints, a line a shape, the time of a step's row starts, token stream, row starts and stream of
/// windows of 512 tokens and write locations: as five launches of one graph, and as one; then
/// without windows, as three and as one. Lengths and starts of windows are there before the five
/// begin, so that theirs is a lower bound.
/// @throws std::runtime_error when the one launch leaves something else than the five.
void time_fused_metadata();

} // namespace kvprof::bench
