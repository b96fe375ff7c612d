#include "analyzers/render_json.h"

#include "analyzers/cases.h"
#include "tests/analyzers/json_documents.h"
#include "tests/analyzers/shown_examples.h"
#include "tests/support/example_runs.h"
#include "tests/support/golden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace kvprof::analyzers {
namespace {

using test::expect_golden;

TEST(RenderJson, MatchesTheGoldens) {
    expect_golden("run.json", run_json(test::filled_run()));
    expect_golden("traced_run.json", run_json(test::traced_run()));
    expect_golden("experiment.json", experiment_json(test::matrix_experiment()));
    expect_golden("comparison.json", comparison_json(test::rectangle_to_stream()));
    expect_golden("pairs.json", pairs_json(test::paired_matrix()));
    expect_golden("ab.json", comparison_json(test::regression()));
    expect_golden("cases.json", cases_json(test::two_cases()));
    expect_golden("gate.json", gate_json(test::gated()));
    expect_golden("calibration.json", calibration_json(test::calibration()));
    expect_golden(
        "selftest.json", selftest_json(test::selftest_rows(), "8 + 8 runs a gate, seed 42")
    );
    expect_golden("listing.json", listing_json(test::listing()));
}

TEST(RenderJson, KeepsStoredTimesAndBytesWhole) {
    const auto json = nlohmann::json::parse(run_json(test::filled_run()));
    EXPECT_EQ(json["schema"], "kvprof.run/1");
    EXPECT_TRUE(json["samples"][0]["gpu_time_ns"].is_number_integer());
    EXPECT_TRUE(json["memory"][0]["bytes"].is_number_integer());
    EXPECT_TRUE(json["step"]["batch"].is_number_integer());
    EXPECT_EQ(json["step"]["holes"], 0.1);
}

TEST(RenderJson, WritesNullForWhatIsNoNumber) {
    kvprof::Run run = test::filled_run();
    run.check.attention_error = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(nlohmann::json::parse(run_json(run))["check"]["attention_error"].is_null());
}

TEST(RenderJson, SurvivesBytesThatAreNoText) {
    kvprof::Run run = test::filled_run();
    run.notes = {"\xff\"\n"};
    EXPECT_NO_THROW(std::ignore = nlohmann::json::parse(run_json(run)));
}

TEST(RenderJson, ShowsTheChangeOfV16WithItsInterval) {
    const auto json = nlohmann::json::parse(comparison_json(test::regression()));
    EXPECT_EQ(json["metrics"][0]["change"]["method"], "hl-signed-rank");
    EXPECT_NEAR(json["metrics"][0]["change"]["level"].get<double>(), 0.96094, 1e-5);
    EXPECT_NEAR(json["metrics"][0]["change"]["low"].get<double>(), 1.014140, 1e-6);
}

TEST(RenderJson, HasNoIntervalOfTooFewRuns) {
    const auto json = nlohmann::json::parse(comparison_json(test::too_few_runs()));
    EXPECT_TRUE(json["metrics"][0]["change"]["low"].is_null());
    EXPECT_TRUE(json["metrics"][0]["change"]["high"].is_null());
}

TEST(Cases, AnswerTheWorstOfAll) {
    EXPECT_EQ(verdict_of(test::two_cases()), Verdict::regressed);
    EXPECT_EQ(verdict_of(std::vector<Comparison>{}), Verdict::inconclusive);
}

TEST(Selftest, HoldsOnlyWhenEveryPromiseDoes) {
    std::vector<SelftestRow> rows = test::selftest_rows();
    EXPECT_TRUE(holds(rows));
    rows[1].holds = false;
    EXPECT_FALSE(holds(rows));
    EXPECT_FALSE(holds({}));
}

} // namespace
} // namespace kvprof::analyzers
