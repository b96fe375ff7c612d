#include "capture/model/profile_figures.h"

#include <algorithm>
#include <iterator>

namespace kvprof {

std::optional<std::int64_t> figure_of(const ProfileRank& rank, std::string_view figure) {
    const auto found =
        std::find_if(rank.figures.begin(), rank.figures.end(), [&](const ProfileFigure& one) {
            return one.name == figure;
        });
    return found == rank.figures.end() ? std::nullopt : std::optional(found->value);
}

std::int64_t total_of(const Profile& profile, std::string_view figure) {
    std::int64_t sum = 0;
    for (const ProfileRank& rank : profile.ranks) {
        sum += figure_of(rank, figure).value_or(0);
    }
    return sum;
}

std::int64_t steps_in_window(const Profile& profile) {
    std::int64_t steps = total_of(profile, "steps.skipped");
    for (const ProfileRank& rank : profile.ranks) {
        steps += std::ssize(rank.steps);
    }
    return steps;
}

} // namespace kvprof
