#include "analyzers/spec_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace kvprof::analyzers {

std::vector<Param> params_of(const StepSpec& step, const MeasureSpec& measure) {
    std::vector<Param> params = to_params(step);
    for (Param& param : to_params(measure)) {
        params.push_back(std::move(param));
    }
    return params;
}

std::vector<Param> params_of(const Run& run) {
    return params_of(run.step, run.measure);
}

bool is_about_watching(std::string_view field) {
    constexpr std::array<std::string_view, 7> kFields{
        "samples", "replays", "run-time", "warmup-max", "passes", "trace-steps", "keep-events"};
    return std::find(kFields.begin(), kFields.end(), field) != kFields.end();
}

std::vector<SpecChange>
changes_between(const std::vector<Param>& base, const std::vector<Param>& candidate) {
    std::vector<SpecChange> changes;
    for (std::size_t i = 0; i < base.size(); ++i) {
        if (base[i].value != candidate[i].value && !is_about_watching(base[i].name)) {
            changes.push_back({base[i].name, base[i].value, candidate[i].value});
        }
    }
    return changes;
}

std::vector<std::string> varying_fields(const std::vector<Run>& runs) {
    if (runs.empty()) {
        return {};
    }
    const std::vector<Param> first = params_of(runs.front());
    std::vector<bool> varies(first.size(), false);
    for (const Run& run : runs) {
        const std::vector<Param> params = params_of(run);
        for (std::size_t i = 0; i < first.size(); ++i) {
            varies[i] = varies[i] || params[i].value != first[i].value;
        }
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < first.size(); ++i) {
        if (varies[i]) {
            names.push_back(first[i].name);
        }
    }
    return names;
}

std::string
describe_fields(const std::vector<Param>& params, const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value_of(params, name));
    }
    return text;
}

std::string value_of(const std::vector<Param>& params, std::string_view name) {
    const auto found = std::find_if(params.begin(), params.end(), [&](const Param& param) {
        return param.name == name;
    });
    return found == params.end() ? std::string() : found->value;
}

} // namespace kvprof::analyzers
