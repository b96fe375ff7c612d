#include "analyzers/json_gate.h"

#include "analyzers/cases.h"
#include "analyzers/json_comparison.h"
#include "analyzers/json_rows.h"

namespace kvprof::analyzers {

namespace {

Json acceptance(const Acceptance& acceptance) {
    return {
        {"metric", acceptance.metric},
        {"cell", acceptance.cell},
        {"until", acceptance.until},
        {"reason", acceptance.reason},
        {"line", acceptance.line}};
}

Json acceptance_or_null(const std::optional<Acceptance>& given) {
    return given ? acceptance(*given) : Json(nullptr);
}

/// What a change has to pass: each that is given.
Json limits(const Limits& limits) {
    return {
        {"ratio", real(limits.ratio)},
        {"absolute", real(limits.absolute)},
        {"of_step", real(limits.of_step)}};
}

Json policy(const Policy& policy) {
    Json json{
        {"origin", policy.origin},
        {"primary", policy.primary},
        {"alpha", real(policy.alpha)},
        {"q", real(policy.q)},
        {"runs", policy.runs},
        {"on_inconclusive", to_string(policy.on_inconclusive)},
        {"rules", Json::array()},
        {"accepted", Json::array()}};
    for (const MetricRule& rule : policy.rules) {
        Json json_rule{{"metric", rule.metric}};
        json_rule.update(limits(rule.limits));
        json_rule["source"] = rule.source;
        json_rule["line"] = rule.line;
        json["rules"].push_back(std::move(json_rule));
    }
    for (const Acceptance& each : policy.accepted) {
        json["accepted"].push_back(acceptance(each));
    }
    return json;
}

Json change_or_null(const std::optional<SampledTest>& test) {
    return test ? change_object(*test) : Json(nullptr);
}

Json metric_row(const Delta& row) {
    return {
        {"id", row.id},
        {"unit", to_string(row.metric->unit)},
        {"verdict", verdict_or_null(row.verdict)},
        {"reason", row.reason},
        {"change", change_or_null(row.test)},
        {"difference", number(row.difference)},
        {"threshold", real(row.threshold)},
        {"confirmed", row.is_confirmed}};
}

Json kernel_row(const KernelDelta& kernel, const Policy& policy) {
    return {
        {"id", kernel.name},
        {"unit", to_string(Unit::nanoseconds)},
        {"verdict", verdict_or_null(kernel.verdict)},
        {"reason", kernel.reason},
        {"change", change_or_null(kernel.test)},
        {"difference", number(kernel.change_ns)},
        {"threshold", real(kernel.threshold)},
        {"limits", limits(kernel_limits(policy))},
        {"confirmed", nullptr}};
}

} // namespace

Json gated_object(const GateResult& result, const GatedRow& gated) {
    const Comparison& comparison = result.cases[gated.case_index];
    Json json{{"cell", comparison.cell}, {"name", gated.name}, {"is_kernel", gated.is_kernel}};
    json.update(
        gated.is_kernel ? kernel_row(comparison.kernels[gated.row_index], result.policy)
                        : metric_row(comparison.deltas[gated.row_index])
    );
    json["accepted"] = acceptance_or_null(gated.accepted);
    json["expired"] = acceptance_or_null(gated.expired);
    return json;
}

Json gate_object(const GateResult& result) {
    Json json{
        {"verdict", to_string(result.verdict)},
        {"exit_code", static_cast<int>(result.code)},
        {"line", result.line},
        {"rows", Json::array()},
        {"missing", result.missing},
        {"remarks", result.remarks},
        {"policy", policy(result.policy)},
        {"comparisons", case_list(named(result.cases))}};
    for (const GatedRow& gated : result.rows) {
        json["rows"].push_back(gated_object(result, gated));
    }
    return json;
}

} // namespace kvprof::analyzers
