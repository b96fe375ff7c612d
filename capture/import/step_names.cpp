#include "capture/import/step_names.h"

#include <array>

namespace kvprof::import {

namespace {

constexpr std::array<std::string_view, 4> kNames{
    "ProfilerStep", "step[]", "execute_", "[Executor] _forward_step"};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// "ProfilerStep#5": the number tells it from ranges around all steps.
bool is_profiler_step(std::string_view name) {
    constexpr std::string_view kStart = "ProfilerStep#";
    return name.size() > kStart.size() && name.starts_with(kStart) && is_digit(name[kStart.size()]);
}

/// "execute_new_3_cached_5", "execute_context_...", "execute_32_context_..."; not "execute_model".
bool is_vllm_step(std::string_view name) {
    constexpr std::string_view kStart = "execute_";
    if (!name.starts_with(kStart) || name.size() == kStart.size()) {
        return false;
    }
    const std::string_view rest = name.substr(kStart.size());
    return is_digit(rest.front()) || rest.starts_with("context_") || rest.starts_with("new_");
}

} // namespace

std::optional<std::size_t> step_pattern_of(std::string_view name, const ReadOptions& options) {
    if (options.steps == StepRule::annotation && !options.step_pattern.empty()) {
        return name.starts_with(options.step_pattern) ? std::optional<std::size_t>(0)
                                                      : std::nullopt;
    }
    if (options.steps == StepRule::graph || options.steps == StepRule::none) {
        return std::nullopt;
    }
    const std::array<bool, kNames.size()> is_match{
        is_profiler_step(name),
        name.starts_with("step["),
        is_vllm_step(name),
        name.starts_with("[Executor] _forward_step ")};
    for (std::size_t pattern = 0; pattern < is_match.size(); ++pattern) {
        if (is_match.at(pattern)) {
            return pattern;
        }
    }
    return std::nullopt;
}

std::string step_pattern_name(std::size_t pattern, const ReadOptions& options) {
    if (options.steps == StepRule::annotation && !options.step_pattern.empty()) {
        return options.step_pattern;
    }
    return std::string(kNames.at(pattern));
}

} // namespace kvprof::import
