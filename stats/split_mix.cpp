#include "stats/split_mix.h"

#include <cassert>

namespace kvprof::stats {

std::uint64_t SplitMix64::next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31U);
}

std::size_t SplitMix64::below(std::size_t n) {
    assert(n > 0 && n < (std::uint64_t{1} << 32U));
    return ((next() >> 32U) * n) >> 32U;
}

} // namespace kvprof::stats
