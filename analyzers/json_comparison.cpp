#include "analyzers/json_comparison.h"

#include "analyzers/cases.h"
#include "analyzers/json_roofline.h"
#include "analyzers/json_rows.h"
#include "analyzers/whole_verdict.h"

#include <algorithm>
#include <utility>

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

Json ledger_or_null(const std::optional<LedgerDelta>& ledger) {
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

/// Runs that others took the place of, on either side.
Json voided_runs(const Comparison& comparison) {
    Json list = Json::array();
    for (const auto& [name, side] :
         {std::pair{"base", &comparison.base}, std::pair{"candidate", &comparison.candidate}}) {
        for (const ExcludedRun& run : side->excluded) {
            if (run.state == RunState::voided) {
                list.push_back(
                    {{"side", name},
                     {"uuid", run.uuid},
                     {"variant", run.variant},
                     {"reason", run.reason}}
                );
            }
        }
    }
    return list;
}

} // namespace

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
        {"ledger", ledger_or_null(comparison.ledger)},
        {"roofline", roofline_list(comparison.base.runs, comparison.candidate.runs)},
        {"base", side(comparison.base)},
        {"candidate", side(comparison.candidate)},
        {"voided_runs", voided_runs(comparison)},
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
        json["metrics"].push_back(delta_object(row));
    }
    for (const KernelDelta& each : comparison.kernels) {
        json["kernels"].push_back(kernel_object(each));
    }
    return json;
}

Json case_list(const std::vector<NamedCase>& cases) {
    Json list = Json::array();
    for (const NamedCase& each : cases) {
        list.push_back({{"cell", each.name}, {"comparison", comparison_object(*each.comparison)}});
    }
    return list;
}

Json cases_object(const std::vector<Comparison>& cases) {
    return {
        {"verdict", to_string(verdict_of(cases))},
        {"exit_code", static_cast<int>(exit_code_of(cases))},
        {"cases", case_list(named(cases))}};
}

Json pairs_object(
    const std::string& field,
    const std::vector<NamedCase>& pairs,
    const std::vector<Unpaired>& unpaired
) {
    ExitCode code = pairs.empty() ? ExitCode::not_comparable : ExitCode::done;
    std::vector<Verdict> verdicts;
    for (const NamedCase& pair : pairs) {
        code = std::max(code, exit_code_of(*pair.comparison));
        verdicts.push_back(pair.comparison->verdict);
    }
    const Verdict verdict = pairs.empty() ? Verdict::inconclusive : worst_of(verdicts);
    Json json{
        {"field", field},
        {"verdict", to_string(verdict)},
        {"exit_code", static_cast<int>(code)},
        {"pairs", case_list(pairs)},
        {"unpaired", Json::array()}};
    for (const Unpaired& variant : unpaired) {
        json["unpaired"].push_back({{"variant", variant.variant}, {"reason", variant.reason}});
    }
    return json;
}

} // namespace kvprof::analyzers
