#include "capture/import/nsys_ranges.h"

#include "capture/import/step_names.h"

namespace kvprof::import {

bool may_have_steps(const ReadOptions& options) {
    return options.steps == StepRule::automatic || options.steps == StepRule::annotation;
}

std::optional<std::uint32_t> RangeNames::of_text(std::string_view text) {
    return step_pattern_of(text, options_) ? std::optional(strings_.intern(text)) : std::nullopt;
}

std::optional<std::uint32_t> RangeNames::of_id(std::int64_t id) {
    const auto [place, is_new] = known_.try_emplace(id);
    if (is_new) {
        if (const auto text = strings_.text_of(id)) {
            place->second = of_text(*text);
        }
    }
    return place->second;
}

} // namespace kvprof::import
