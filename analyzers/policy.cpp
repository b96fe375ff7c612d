#include "analyzers/policy.h"

#include "analyzers/metric_names.h"

#include <algorithm>

namespace kvprof::analyzers {

namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;

bool is_given(const Limits& limits) {
    return limits.ratio || limits.absolute || limits.of_step;
}

const MetricRule* rule_called(const Policy& policy, std::string_view name) {
    const auto found =
        std::find_if(policy.rules.begin(), policy.rules.end(), [&](const MetricRule& rule) {
            return rule.metric == name;
        });
    return found == policy.rules.end() ? nullptr : &*found;
}

bool stands_for(const Policy& policy, std::string_view name, std::string_view id) {
    const std::vector<std::string> ids = ids_of(policy, name);
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

/// docs/gating.md has this table.
Limits default_limits(std::string_view id, const MetricDef& metric) {
    if (metric.kind == MetricKind::exact) {
        return {.absolute = 0.0};
    }
    if (metric.unit == Unit::bytes) {
        return {.absolute = 2.0 * kMebibyte}; // the granularity of the device's free memory
    }
    if (id.starts_with("step.host_")) {
        return {.ratio = 0.05};
    }
    if (id.ends_with("_p99")) {
        return {.ratio = 0.03};
    }
    return {.ratio = 0.01};
}

} // namespace

std::vector<std::string> ids_of(const Policy& policy, std::string_view name) {
    if (name == kStepTime) {
        return {"step.gpu_time", "op.gpu_time", "gpu.kernel.sum", "span.wall"};
    }
    if (name == kWallTime) {
        return {"step.wall_time", "op.wall_time"};
    }
    if (name == kLaunches) {
        return {"step.launches", "api.launch"};
    }
    if (name == kCopies) {
        return {"step.copies", "api.memcpy"};
    }
    if (name == kGraphMemory) {
        const MetricRule* const rule = rule_called(policy, name);
        const bool has_source = rule != nullptr && !rule->source.empty();
        return {std::string(graph_memory_id(has_source ? rule->source : "exact"))};
    }
    if (name == kKernels) {
        return {};
    }
    return {std::string(name)};
}

bool is_sampled(const Policy& policy, std::string_view name) {
    const std::vector<std::string> ids = ids_of(policy, name);
    if (ids.empty()) {
        return true; // kernels
    }
    const MetricDef* const row = find_metric(ids.front());
    return row != nullptr && row->kind == MetricKind::sampled;
}

bool gates_kernels(const Policy& policy) {
    return std::find(policy.primary.begin(), policy.primary.end(), kKernels)
           != policy.primary.end();
}

std::string name_in(const Policy& policy, std::string_view id) {
    for (const std::string& name : policy.primary) {
        if (stands_for(policy, name, id)) {
            return name;
        }
    }
    for (const std::string_view name : {kStepTime, kWallTime, kLaunches, kCopies, kGraphMemory}) {
        if (stands_for(policy, name, id)) {
            return std::string(name);
        }
    }
    return std::string(id);
}

Limits limits_for(const Policy& policy, std::string_view id, const MetricDef& metric) {
    if (const MetricRule* const rule = rule_called(policy, id);
        rule != nullptr && is_given(rule->limits)) {
        return rule->limits;
    }
    for (const MetricRule& rule : policy.rules) {
        if (is_given(rule.limits) && stands_for(policy, rule.metric, id)) {
            return rule.limits;
        }
    }
    return default_limits(id, metric);
}

Limits kernel_limits(const Policy& policy) {
    const MetricRule* const rule = rule_called(policy, kKernels);
    if (rule != nullptr && is_given(rule->limits)) {
        return rule->limits;
    }
    return {.ratio = 0.03, .absolute = 200.0, .of_step = 0.001};
}

} // namespace kvprof::analyzers
