#include "analyzers/json_rows.h"

#include "analyzers/change_words.h"

namespace kvprof::analyzers {

namespace {

/// The figures of a test beside its change.
void add_test(const std::optional<SampledTest>& test, Json& json) {
    json["change"] = test ? change_object(*test) : Json(nullptr);
    json["statistic"] = test ? real(test->statistic) : Json(nullptr);
    json["p"] = test ? real(test->p) : Json(nullptr);
    json["p_adjusted"] = test ? real(test->p_adjusted) : Json(nullptr);
    json["least_p"] = test ? real(test->least_p) : Json(nullptr);
    json["tests"] = test ? Json(test->tests) : Json(nullptr);
    json["detectable"] = test ? real(test->detectable) : Json(nullptr);
    json["deviation"] = test ? real(test->deviation) : Json(nullptr);
}

Json side_values(const Delta& row, const SideValues& side) {
    Json json = values(row.metric->unit, side.values, side.summary);
    json["outliers"] = side.outliers;
    return json;
}

Json cycles(const std::optional<CycleTest>& cycles) {
    if (!cycles) {
        return nullptr;
    }
    Json json{{"base_mhz", real(cycles->base_mhz)}, {"candidate_mhz", real(cycles->candidate_mhz)}};
    add_test(cycles->test, json);
    return json;
}

Json numbers(const std::vector<double>& list) {
    Json json = Json::array();
    for (const double value : list) {
        json.push_back(number(value));
    }
    return json;
}

Json kernel_side(double launches, const std::vector<double>& ns, double median) {
    return {
        {"launches", number(launches)}, {"values_ns", numbers(ns)}, {"median_ns", number(median)}};
}

} // namespace

Json verdict_or_null(const std::optional<Verdict>& verdict) {
    return verdict ? Json(to_string(*verdict)) : Json(nullptr);
}

Json change_object(const SampledTest& test) {
    const bool is_finite = has_interval(test);
    return {
        {"kind", test.is_ratio ? "ratio" : "difference"},
        {"estimate", real(test.estimate)},
        {"low", is_finite ? real(test.low) : Json(nullptr)},
        {"high", is_finite ? real(test.high) : Json(nullptr)},
        {"level", is_finite ? real(test.level) : Json(nullptr)},
        {"method", std::string("hl-") + std::string(to_string(test.method))}};
}

Json delta_object(const Delta& row) {
    Json json = definition(row.id, *row.metric);
    json["base"] = side_values(row, row.base);
    json["candidate"] = side_values(row, row.candidate);
    json["difference"] = number(row.difference);
    json["ratio"] = real(row.ratio);
    json["verdict"] = verdict_or_null(row.verdict);
    json["reason"] = row.reason;
    json["primary"] = row.is_primary;
    json["family"] = row.is_primary ? "primary" : "other";
    add_test(row.test, json);
    json["threshold"] = real(row.threshold);
    json["policy_limit"] = real(row.policy_limit);
    json["noise_limited"] = row.is_noise_limited;
    json["by_occasion"] = row.is_by_occasion;
    json["confirmed"] = row.is_confirmed;
    json["cycles"] = cycles(row.cycles);
    json["remarks"] = row.remarks;
    json["runs_needed"] = row.runs_needed ? Json(*row.runs_needed) : Json(nullptr);
    return json;
}

Json kernel_object(const KernelDelta& kernel) {
    Json json{
        {"op", kernel.op ? Json(to_string(*kernel.op)) : Json(nullptr)},
        {"placement", placement_of(kernel.op, kernel.placement)},
        {"name", kernel.name},
        {"base", kernel_side(kernel.base_launches, kernel.base_ns, kernel.base_median)},
        {"candidate",
         kernel_side(kernel.candidate_launches, kernel.candidate_ns, kernel.candidate_median)},
        {"change_ns", number(kernel.change_ns)},
        {"of_step_change", real(kernel.of_step_change)},
        {"of_step", real(kernel.of_step)},
        {"same_code", kernel.has_same_code}};
    add_test(kernel.test, json);
    json["threshold"] = real(kernel.threshold);
    json["verdict"] = verdict_or_null(kernel.verdict);
    json["reason"] = kernel.reason;
    if (kernel.match && *kernel.match != KernelMatch::name) {
        json["matched_by"] = to_string(*kernel.match);
        json["base_name"] = kernel.base_name;
    }
    return json;
}

} // namespace kvprof::analyzers
