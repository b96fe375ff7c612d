#include "analyzers/json_comparison.h"

#include "analyzers/change_words.h"

#include <algorithm>

namespace kvprof::analyzers {

namespace {

Json side(const Side& side) {
    Json json{
        {"label", side.label},
        {"step", fields(side.step)},
        {"measure", fields(side.measure)},
        {"environment",
         side.runs.empty() ? Json(nullptr) : environment(side.runs.front().environment)},
        {"runs", Json::array()},
        {"places", Json::array()},
        {"excluded", Json::array()}};
    for (const Run& run : side.runs) {
        json["runs"].push_back(run.uuid);
        json["places"].push_back(run.ab ? place_object(*run.ab) : Json(nullptr));
    }
    for (const ExcludedRun& run : side.excluded) {
        json["excluded"].push_back(
            {{"uuid", run.uuid}, {"state", to_string(run.state)}, {"reason", run.reason}}
        );
    }
    return json;
}

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

Json delta(const Delta& row) {
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
    json["noise_limited"] = row.is_noise_limited;
    json["confirmed"] = row.is_confirmed;
    json["cycles"] = cycles(row.cycles);
    json["remarks"] = row.remarks;
    json["runs_needed"] = row.runs_needed ? Json(*row.runs_needed) : Json(nullptr);
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

Json kernel(const KernelDelta& kernel) {
    Json json{
        {"op", to_string(kernel.op)},
        {"placement", to_string(kernel.placement)},
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
    return json;
}

Json ledger(const std::optional<LedgerDelta>& ledger) {
    if (!ledger) {
        return nullptr;
    }
    Json json{
        {"base_runs", ledger->base_runs},
        {"candidate_runs", ledger->candidate_runs},
        {"lines", Json::array()},
        {"kernels_ns", estimate(ledger->kernels)},
        {"traced_ns", estimate(ledger->traced)},
        {"untraced_ns", ledger->untraced ? estimate(*ledger->untraced) : Json(nullptr)},
        {"unexplained_ns", ledger->rest ? estimate(*ledger->rest) : Json(nullptr)},
        {"is_finding", ledger->is_finding}};
    for (const LedgerLine& line : ledger->lines) {
        json["lines"].push_back(
            {{"name", line.name},
             {"is_op", line.is_op},
             {"base_ns", number(line.base)},
             {"candidate_ns", number(line.candidate)},
             {"change_ns", estimate(line.change)}}
        );
    }
    return json;
}

Json controls(const std::optional<Controls>& controls) {
    if (!controls) {
        return nullptr;
    }
    return {
        {"kernels", controls->kernels},
        {"base_runs", controls->base_runs},
        {"candidate_runs", controls->candidate_runs},
        {"ratio", real(controls->ratio)},
        {"is_tested", controls->is_tested},
        {"is_drift", controls->is_drift}};
}

Json treatment(const Comparison& comparison) {
    Json list = Json::array();
    for (const SpecChange& change : comparison.spec_changes) {
        const bool is_declared =
            std::find(comparison.treatment.begin(), comparison.treatment.end(), change.name)
            != comparison.treatment.end();
        list.push_back(
            {{"field", change.name},
             {"base", change.base},
             {"candidate", change.candidate},
             {"declared", is_declared}}
        );
    }
    return list;
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

Json comparison_object(const Comparison& comparison) {
    Json json{
        {"verdict", to_string(comparison.verdict)},
        {"exit_code", static_cast<int>(exit_code_of(comparison))},
        {"cell", comparison.cell},
        {"interleaved", comparison.is_interleaved},
        {"alpha", real(comparison.alpha)},
        {"interval_level", real(comparison.interval_level)},
        {"treatment", treatment(comparison)},
        {"declared", comparison.treatment},
        {"concerns", Json::array()},
        {"stamps", comparison.stamps},
        {"metrics", Json::array()},
        {"kernels", Json::array()},
        {"controls", controls(comparison.controls)},
        {"ledger", ledger(comparison.ledger)},
        {"base", side(comparison.base)},
        {"candidate", side(comparison.candidate)},
        {"notes", comparison.notes},
        {"not_measured", comparison.not_measured}};
    for (const Concern& concern : comparison.concerns) {
        json["concerns"].push_back(
            {{"severity", to_string(concern.severity)},
             {"field", concern.field},
             {"text", concern.text}}
        );
    }
    for (const Delta& row : comparison.deltas) {
        json["metrics"].push_back(delta(row));
    }
    for (const KernelDelta& each : comparison.kernels) {
        json["kernels"].push_back(kernel(each));
    }
    return json;
}

Json case_list(const std::vector<Comparison>& cases) {
    Json list = Json::array();
    for (const Comparison& comparison : cases) {
        list.push_back({{"cell", comparison.cell}, {"comparison", comparison_object(comparison)}});
    }
    return list;
}

} // namespace kvprof::analyzers
