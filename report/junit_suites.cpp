#include "report/junit_suites.h"

#include "analyzers/as_double.h"
#include "analyzers/gate_words.h"
#include "report/judged.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <string_view>

namespace kvprof::report {

namespace {

using analyzers::Comparison;
using analyzers::GatedRow;
using analyzers::GateResult;
using analyzers::Verdict;

/// Whether a row is inconclusive because a side has no value: more runs would not help.
bool lacks_values(const analyzers::RowFacts& row) {
    return row.verdict == Verdict::inconclusive && row.metric != nullptr && row.test == nullptr
           && (!row.metric->base.summary || !row.metric->candidate.summary);
}

Outcome outcome_of(const analyzers::RowFacts& facts, const GatedRow& row) {
    switch (facts.verdict) {
    case Verdict::regressed: return row.accepted ? Outcome::passed : Outcome::failed;
    case Verdict::not_comparable: return Outcome::error;
    case Verdict::inconclusive: return lacks_values(facts) ? Outcome::error : Outcome::skipped;
    case Verdict::improved:
    case Verdict::same: break;
    }
    return Outcome::passed;
}

std::string acceptance(const GatedRow& row) {
    if (row.accepted) {
        return fmt::format(
            "regressed, and accepted until {}: {}", row.accepted->until, row.accepted->reason
        );
    }
    return row.expired ? fmt::format("accepted until {}, which has passed", row.expired->until)
                       : std::string();
}

JunitTest test_of(const GateResult& gate, std::size_t index) {
    const GatedRow& row = gate.rows[index];
    const analyzers::RowFacts facts = analyzers::row_facts(gate, row);
    return {
        .name = analyzers::name_of(gate, row),
        .outcome = outcome_of(facts, row),
        .type = lacks_values(facts) ? "not-measured" : std::string(to_string(facts.verdict)),
        .message = words_without_name(gate, index),
        .remark = acceptance(row)};
}

double measured_seconds(const Comparison& one) {
    std::chrono::nanoseconds time{0};
    for (const analyzers::Side* side : {&one.base, &one.candidate}) {
        for (const Run& run : side->runs) {
            for (const Sample& sample : run.samples) {
                time += sample.wall_time;
            }
        }
    }
    return analyzers::as_double(time) / 1e9;
}

std::vector<const Run*> runs_of(const Comparison& one) {
    std::vector<const Run*> runs;
    for (const analyzers::Side* side : {&one.base, &one.candidate}) {
        for (const Run& run : side->runs) {
            runs.push_back(&run);
        }
    }
    return runs;
}

/// What the runs were measured on; a fact that the sides do not share has both values.
void add_environment(const Comparison& one, JunitSuite& suite) {
    if (one.base.runs.empty() || one.candidate.runs.empty()) {
        return;
    }
    const auto base = to_params(one.base.runs.front().environment);
    const auto candidate = to_params(one.candidate.runs.front().environment);
    for (std::size_t i = 0; i < base.size(); ++i) {
        constexpr std::array kShown{
            "executor",
            "device-name",
            "driver",
            "cuda-runtime",
            "clock-state",
            "git-revision",
            "build"};
        if (std::find(kShown.begin(), kShown.end(), base[i].name) == kShown.end()
            || (base[i].value.empty() && candidate[i].value.empty())) {
            continue;
        }
        suite.properties.emplace_back(
            "environment." + base[i].name,
            base[i].value == candidate[i].value ? base[i].value
                                                : base[i].value + " -> " + candidate[i].value
        );
    }
}

JunitSuite suite_of(const GateResult& gate, std::size_t case_index, const std::string& name) {
    const Comparison& one = gate.cases[case_index];
    JunitSuite suite;
    suite.name = name.empty() ? "decode" : name;
    suite.timestamp = newest_start(runs_of(one));
    suite.seconds = measured_seconds(one);
    add_environment(one, suite);
    for (std::size_t i = 0; i < gate.rows.size(); ++i) {
        if (gate.rows[i].case_index == case_index) {
            suite.tests.push_back(test_of(gate, i));
        }
    }
    for (const std::string& word : missing_in(gate, case_index)) {
        suite.tests.push_back({word, Outcome::error, "not-measured", "not-measured", {}});
    }
    const bool has_error =
        std::any_of(suite.tests.begin(), suite.tests.end(), [](const JunitTest& test) {
            return test.outcome == Outcome::error;
        });
    if (const std::string cause = blocked_by(one); !cause.empty() && !has_error) {
        suite.tests.push_back({"comparable", Outcome::error, "not comparable", cause, {}});
    }
    return suite;
}

JunitSuite unpaired_suite(const Judged& judged) {
    JunitSuite suite;
    suite.name = "unpaired";
    for (const analyzers::Unpaired& one : judged.unpaired) {
        suite.tests.push_back({one.variant, Outcome::skipped, {}, one.reason, {}});
    }
    return suite;
}

JunitTest test_of(const ClaimAnswer& answer) {
    const std::string words = fmt::format(
        "{}{}{}",
        answer.measured,
        answer.measured.empty() || answer.why.empty() ? "" : "; ",
        answer.why
    );
    const std::string name =
        answer.cell.empty() ? answer.claim.text : answer.claim.text + " at " + answer.cell;
    Outcome outcome = Outcome::passed;
    switch (answer.verdict) {
    case ClaimVerdict::supported: break;
    case ClaimVerdict::contradicted: outcome = Outcome::failed; break;
    case ClaimVerdict::not_tested: outcome = Outcome::error; break;
    case ClaimVerdict::undecided: outcome = Outcome::skipped; break;
    }
    return {name, outcome, std::string(to_string(answer.verdict)), words, answer.claim.prose};
}

JunitSuite claims_suite(const CheckedClaims& claims) {
    JunitSuite suite;
    suite.name = "claims";
    for (const ClaimAnswer& answer : claims.answers) {
        suite.tests.push_back(test_of(answer));
    }
    return suite;
}

} // namespace

std::vector<JunitSuite> junit_suites(const Report& report) {
    const Judged& judged = judged_of(report);
    std::vector<JunitSuite> suites;
    const std::vector<std::string> names = case_names(judged);
    for (std::size_t i = 0; i < names.size(); ++i) {
        suites.push_back(suite_of(judged.gate, i, names[i]));
    }
    if (suites.empty()) {
        suites.emplace_back().name = "decode";
        suites.back().tests.push_back(
            {"cases", Outcome::error, "not-measured", "there is no case to compare", {}}
        );
    }
    if (!judged.unpaired.empty()) {
        suites.push_back(unpaired_suite(judged));
    }
    if (report.claims) {
        suites.push_back(claims_suite(*report.claims));
    }
    const std::vector<std::pair<std::string, std::string>> head{
        {"kvprof.version", report.tool.version},
        {"kvprof.report", report_id(report.recipe)},
        {"kvprof.recipe", recipe_json(report.recipe)}};
    suites.front().properties.insert(suites.front().properties.begin(), head.begin(), head.end());
    return suites;
}

} // namespace kvprof::report
