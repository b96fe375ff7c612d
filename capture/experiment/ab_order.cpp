#include "capture/experiment/ab_order.h"

#include "capture/model/error.h"
#include "stats/split_mix.h"

#include <fmt/format.h>

namespace kvprof::experiment {

namespace {

constexpr std::int64_t kPlaces = 4;

AbSide side_at(std::int64_t place, bool starts_with_b) {
    const bool is_outer = place == 0 || place == kPlaces - 1;
    return is_outer != starts_with_b ? AbSide::a : AbSide::b;
}

void check_runs(std::int64_t runs) {
    if (runs >= 1 && (runs == 1 || runs % 2 == 0)) {
        return;
    }
    throw UsageError(
        fmt::format("could not lay out {} runs a side: a block A B B A holds two of each", runs),
        runs < 1 ? "take an even number, or 1 for exact metrics alone"
                 : fmt::format("take {} or {}, or 1 for exact metrics alone", runs - 1, runs + 1)
    );
}

} // namespace

std::vector<AbSlot>
ab_order(std::size_t cases, std::int64_t runs, std::uint64_t seed, bool is_mirrored) {
    check_runs(runs);
    stats::SplitMix64 random(seed);
    const std::int64_t blocks = (runs + 1) / 2;
    const std::int64_t places = runs == 1 ? 2 : kPlaces;
    std::vector<AbSlot> order;
    for (std::int64_t block = 0; block < blocks; ++block) {
        for (std::size_t i = 0; i < cases; ++i) {
            const bool starts_with_b = (random.below(2) == 1) != is_mirrored;
            for (std::int64_t place = 0; place < places; ++place) {
                order.push_back(
                    {i, {.side = side_at(place, starts_with_b), .block = block, .place = place}}
                );
            }
        }
    }
    return order;
}

std::string letters_of(const std::vector<AbSlot>& order) {
    std::string letters;
    for (const AbSlot& slot : order) {
        if (slot.case_index == 0) {
            letters += slot.place.place == 0 && !letters.empty() ? " " : "";
            letters += slot.place.side == AbSide::a ? 'A' : 'B';
        }
    }
    return letters;
}

} // namespace kvprof::experiment
