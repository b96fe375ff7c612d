#include "report/charts.h"

#include "ab_runs.h"
#include "compared_sides.h"
#include "gate_rows.h"
#include "report/html_charts.h"
#include "tests/report/sample_reports.h"
#include "tests/support/example_runs.h"
#include "traced_run.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace kvprof::report {
namespace {

using analyzers::Comparison;
using analyzers::Delta;
using analyzers::Verdict;
using ::testing::DoubleNear;
using ::testing::ElementsAre;

template<typename Data>
Data data_of(const std::optional<Chart>& chart) {
    return std::get<Data>(chart.value().data);
}

Comparison with_rows(std::vector<Delta> rows) {
    return analyzers::test_rows::case_of(std::move(rows));
}

Delta exact(const std::string& id, double base, double candidate) {
    Delta row = analyzers::test_rows::count(id, base, candidate);
    row.ratio = candidate / base;
    return row;
}

TEST(IntervalChart, OrdersRowsByFallingChange) {
    const auto chart = interval_chart(
        {with_rows({analyzers::test_rows::slower(), exact("step.launches", 20.0, 15.0)})}
    );
    const auto rows = data_of<IntervalChart>(chart).rows;
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].label, "step.launches");
    EXPECT_DOUBLE_EQ(rows[0].change, -25.0);
    EXPECT_FALSE(rows[0].interval);
    EXPECT_EQ(rows[1].label, "step.gpu_time");
    EXPECT_THAT(rows[1].change, DoubleNear(1.4943, 1e-9));
    EXPECT_THAT(rows[1].interval->low, DoubleNear(1.4140, 1e-9));
    EXPECT_THAT(rows[1].limit.value(), DoubleNear(1.0, 1e-9));
    EXPECT_EQ(rows[1].verdict, Verdict::regressed);
}

TEST(IntervalChart, NamesTheCaseOfARow) {
    Comparison small = with_rows({analyzers::test_rows::slower()});
    small.cell = "batch=8";
    const auto chart = interval_chart({small});
    EXPECT_EQ(data_of<IntervalChart>(chart).rows.front().label, "batch=8: step.gpu_time");
}

TEST(IntervalChart, LeavesOutRowsThatAreEqualOnBothSides) {
    EXPECT_FALSE(interval_chart({with_rows({exact("step.launches", 20.0, 20.0)})}));
    EXPECT_FALSE(interval_chart({with_rows({})}));
}

TEST(IntervalChart, DrawsNoIntervalThatIsNotFinite) {
    Delta row = analyzers::test_rows::slower();
    row.test->low = 0.0;
    const auto chart = interval_chart({with_rows({row})});
    EXPECT_FALSE(data_of<IntervalChart>(chart).rows.front().interval);
}

TEST(IntervalChart, HasRoomForSoManyRowsAndATableOfAll) {
    std::vector<Delta> rows;
    for (std::size_t i = 0; i < kMostDrawn + 5; ++i) {
        rows.push_back(exact("step.launches", 100.0, 101.0 + static_cast<double>(i)));
    }
    const auto chart = interval_chart({with_rows(rows)});
    EXPECT_EQ(data_of<IntervalChart>(chart).rows.size(), kMostDrawn);
    EXPECT_EQ(chart->table.rows().size(), kMostDrawn + 5);
}

/// Four runs a side in the order A B B A B A A B, base 100 us, candidate 101 us and more.
Comparison in_turns() {
    Comparison comparison = with_rows({});
    const std::vector<std::int64_t> base_places{0, 3, 5, 6};
    const std::vector<std::int64_t> candidate_places{1, 2, 4, 7};
    comparison.base.runs.clear();
    comparison.candidate.runs.clear();
    for (std::size_t i = 0; i < base_places.size(); ++i) {
        kvprof::Run base = analyzers::test_sides::timed(100.0 + static_cast<double>(i));
        base.position = base_places[i];
        kvprof::Run candidate = analyzers::test_sides::timed(110.0 + static_cast<double>(i));
        candidate.position = candidate_places[i];
        comparison.base.runs.push_back(base);
        comparison.candidate.runs.push_back(candidate);
    }
    Delta row = analyzers::test_rows::slower();
    row.base.values = {100e3, 101e3, 102e3, 103e3};
    row.base.outliers = {3};
    row.base.summary = analyzers::summarise(row.base.values);
    row.candidate.values = {110e3, 111e3, 112e3, 113e3};
    row.candidate.summary = analyzers::summarise(row.candidate.values);
    comparison.deltas = {row};
    return comparison;
}

std::vector<std::int64_t> orders(const OrderChart::Series& series) {
    std::vector<std::int64_t> list;
    for (const OrderChart::Point& point : series.points) {
        list.push_back(point.order);
    }
    return list;
}

TEST(RunOrderChart, ShowsRunsInTheOrderOfTheirMeasurement) {
    const Comparison comparison = in_turns();
    const auto chart = run_order_chart(comparison, comparison.deltas.front());
    const auto data = data_of<OrderChart>(chart);
    ASSERT_EQ(data.series.size(), 2U);
    EXPECT_THAT(orders(data.series[0]), ElementsAre(1, 4, 6, 7));
    EXPECT_THAT(orders(data.series[1]), ElementsAre(2, 3, 5, 8));
    EXPECT_DOUBLE_EQ(data.series[0].points[1].value, 101e3);
    EXPECT_DOUBLE_EQ(data.series[1].median, 111.5e3);
}

TEST(RunOrderChart, ShowsImportedRunsInTheOrderOfImport) {
    Comparison comparison = in_turns();
    for (analyzers::Side* side : {&comparison.base, &comparison.candidate}) {
        std::int64_t place = 0; // every import counts its own
        for (kvprof::Run& run : side->runs) {
            run.profile.emplace().ranks.resize(1);
            run.profile->ranks[0].figures = {{"gpu.kernel.sum", 1000 + place}};
            run.position = place++;
            run.started_at = "2026-11-30T13:00:00Z";
        }
    }
    Delta row = comparison.deltas.front();
    row.id = "gpu.kernel.sum";
    row.metric = analyzers::find_metric(row.id);
    const auto chart = run_order_chart(comparison, row);
    const auto data = data_of<OrderChart>(chart);
    EXPECT_THAT(orders(data.series[0]), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(orders(data.series[1]), ElementsAre(5, 6, 7, 8));
    EXPECT_THAT(chart->summary, ::testing::HasSubstr("8 runs in the order of import:"));
}

TEST(RunOrderChart, MarksTheRunThatLooksOdd) {
    const Comparison comparison = in_turns();
    const auto chart = run_order_chart(comparison, comparison.deltas.front());
    const auto data = data_of<OrderChart>(chart);
    const auto& points = data.series[0].points;
    EXPECT_FALSE(points[2].is_odd);
    EXPECT_TRUE(points[3].is_odd);
    EXPECT_EQ(points[3].words, "103.00 us, looks odd");
}

TEST(RunOrderChart, IsNotMadeOfAnExactRow) {
    const Comparison comparison = with_rows({exact("step.launches", 20.0, 15.0)});
    EXPECT_FALSE(run_order_chart(comparison, comparison.deltas.front()));
}

analyzers::LedgerDelta ledger_of(std::size_t parts) {
    analyzers::LedgerDelta ledger;
    for (std::size_t i = 0; i < parts; ++i) {
        const double change = -100.0 * static_cast<double>(parts - i);
        ledger.lines.push_back(
            {"part " + std::to_string(i), true, 5000.0, 5000.0 + change, {change, {}}}
        );
        ledger.traced.value += change;
    }
    return ledger;
}

TEST(LedgerChart, EachPartStartsWhereTheLastOneEnded) {
    Comparison comparison = with_rows({});
    comparison.ledger = ledger_of(3);
    comparison.ledger->lines[1].change.interval = analyzers::Interval{-210.0, -190.0};
    const auto bars = data_of<WaterfallChart>(ledger_chart(comparison)).bars;
    ASSERT_EQ(bars.size(), 4U);
    EXPECT_DOUBLE_EQ(bars[0].to, -300.0);
    EXPECT_DOUBLE_EQ(bars[1].from, -300.0);
    EXPECT_DOUBLE_EQ(bars[1].to, -500.0);
    EXPECT_DOUBLE_EQ(bars[1].interval->low, -510.0);
    EXPECT_TRUE(bars[3].is_total);
    EXPECT_DOUBLE_EQ(bars[3].from, 0.0);
    EXPECT_DOUBLE_EQ(bars[3].to, -600.0);
}

TEST(LedgerChart, AddsUpTheSmallPartsSoThatTheSumStays) {
    Comparison comparison = with_rows({});
    comparison.ledger = ledger_of(20);
    const auto chart = ledger_chart(comparison);
    const auto bars = data_of<WaterfallChart>(chart).bars;
    ASSERT_EQ(bars.size(), 14U);
    EXPECT_EQ(bars[12].label, "8 smaller parts");
    EXPECT_DOUBLE_EQ(bars[12].to, bars[13].to) << "the parts end at their sum";
    EXPECT_EQ(chart->table.rows().size(), 21U) << "the table has each of them";
}

TEST(LedgerChart, OfARunEndsAtItsTracedStep) {
    const auto chart = ledger_chart(test::traced_like({}));
    const auto bars = data_of<WaterfallChart>(chart).bars;
    ASSERT_GE(bars.size(), 2U);
    EXPECT_TRUE(bars.back().is_total);
    EXPECT_THAT(bars[bars.size() - 2].to, DoubleNear(bars.back().to, 1e-6));
}

TEST(KernelChart, OrdersBySizeAndSaysWhatIsNew) {
    Comparison comparison = with_rows({});
    analyzers::KernelDelta old;
    old.name = "void gather_kernel(int)";
    old.op = OpKind::attention;
    old.base_median = 2000.0;
    analyzers::KernelDelta fresh;
    fresh.name = "fill_kernel";
    fresh.op = OpKind::attention;
    fresh.candidate_median = 3000.0;
    comparison.kernels = {old, fresh};
    const auto rows = data_of<PairChart>(kernel_chart(comparison)).rows;
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].label, "fill_kernel (attention)");
    EXPECT_FALSE(rows[0].base);
    EXPECT_EQ(rows[0].words, "new, 3.00 us");
    EXPECT_EQ(rows[1].words, "gone, was 2.00 us");
}

TEST(MemoryChart, HoldsTheBuffersOfBothSides) {
    Comparison comparison = with_rows({});
    comparison.base.runs = {test::step_run(IndexMode::rectangle, {1})};
    comparison.candidate.runs = {test::step_run(IndexMode::stream, {1})};
    const auto data = data_of<PairChart>(memory_chart(comparison));
    EXPECT_EQ(data.unit, analyzers::Unit::bytes);
    ASSERT_FALSE(data.rows.empty());
    constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
    double base = 0.0;
    double candidate = 0.0;
    for (const PairChart::Row& row : data.rows) {
        base += row.base.value_or(0.0);
        candidate += row.candidate.value_or(0.0);
    }
    EXPECT_DOUBLE_EQ(base, 2.0 * kGiB);
    EXPECT_DOUBLE_EQ(candidate, kGiB);
}

TEST(MemoryChart, DrawsTheLargestBuffersAndThoseThatChanged) {
    Comparison comparison = with_rows({});
    comparison.base.runs = {test::step_run(IndexMode::stream, {1})};
    auto& memory = comparison.base.runs.front().memory;
    memory.clear();
    for (std::int64_t i = 0; i < 20; ++i) {
        memory.push_back(
            {"buffer " + std::to_string(i), MemorySource::ledger, "tables", Bytes{4096 - i}}
        );
    }
    comparison.candidate.runs = comparison.base.runs;
    comparison.candidate.runs.front().memory.back().bytes = Bytes{1024};
    const auto chart = memory_chart(comparison);
    const auto rows = data_of<PairChart>(chart).rows;
    ASSERT_EQ(rows.size(), 17U);
    EXPECT_EQ(rows.back().label, "buffer 19 (tables)");
    EXPECT_EQ(chart->table.rows().size(), 20U);
}

TEST(SampleChart, ShowsDiscardedSamplesAsSuch) {
    kvprof::Run run = test::step_run(IndexMode::stream, {10, 11});
    run.samples[1].discarded = "throttled: 1,215 of 1,980 MHz";
    const auto chart = sample_chart(run);
    const auto data = data_of<OrderChart>(chart);
    const auto& points = data.series.front().points;
    ASSERT_EQ(points.size(), 2U);
    EXPECT_FALSE(points[0].is_odd);
    EXPECT_TRUE(points[1].is_odd);
    EXPECT_EQ(points[1].words, "11.00 us, discarded: throttled: 1,215 of 1,980 MHz");
}

TEST(VariantChart, GathersTheRunsOfAVariant) {
    Experiment experiment;
    for (const char* variant : {"batch=8", "batch=64", "batch=8"}) {
        experiment.runs.push_back(test::step_run(IndexMode::stream, {10}));
        experiment.runs.back().variant = variant;
    }
    experiment.runs.push_back(experiment.runs.front());
    experiment.runs.back().status.state = RunState::voided;
    const auto rows = data_of<StripChart>(variant_chart(experiment)).rows;
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].label, "batch=8");
    EXPECT_EQ(rows[0].values.size(), 2U) << "a void run is no value";
}

TEST(ChartsOf, DrawsTheFirstCasesOneByOne) {
    Report report = test::gate_report(Format::html);
    auto& cases = std::get<Judged>(report.subject).gate.cases;
    while (cases.size() < kMostDrawnCases + 3) {
        cases.push_back(cases.front());
    }
    EXPECT_EQ(charts_of(report).size(), kMostDrawnCases + 1) << "the changes of all come first";
}

TEST(ChartJson, HasAnObjectForEachChart) {
    const auto groups = charts_of(test::hostile_report(Format::html));
    std::size_t charts = 0;
    for (const ChartGroup& group : groups) {
        charts += group.charts.size();
    }
    const auto json = nlohmann::json::parse(chart_json(groups));
    EXPECT_EQ(json.size(), charts);
    EXPECT_EQ(json.front()["kind"], "intervals");
}

Experiment sweep_of_sides() {
    Experiment sweep;
    sweep.kind = ExperimentKind::sweep;
    for (const AbSide side : {AbSide::a, AbSide::b}) {
        for (const std::int64_t seq_len : {1024, 8192}) {
            kvprof::Run run = test::step_run(IndexMode::stream, {10 + seq_len / 1024});
            run.step.seq_len = seq_len;
            run.ab = AbPlace{.side = side};
            sweep.runs.push_back(run);
        }
    }
    return sweep;
}

/// 64 lanes of 1,024 and 8,192 tokens.
TEST(LawChart, DrawsTimeAgainstWorkALineASide) {
    const auto charts = law_charts(sweep_of_sides());
    ASSERT_EQ(charts.size(), 1U);
    EXPECT_EQ(charts[0].title, "Time along seq-len");
    const auto data = std::get<LawChart>(charts[0].data);
    EXPECT_EQ(data.work, "live tokens");
    EXPECT_THAT(data.sides, ElementsAre("A", "B"));
    ASSERT_EQ(data.series.size(), 2U);
    EXPECT_EQ(data.series[1].name, "B: the step");
    EXPECT_TRUE(data.series[1].is_candidate);
    ASSERT_EQ(data.series[0].points.size(), 2U);
    EXPECT_DOUBLE_EQ(data.series[0].points[1].work, 64.0 * 8192.0);
    EXPECT_DOUBLE_EQ(data.series[0].points[1].time_ns, 18'000.0);
    EXPECT_EQ(data.series[0].points[1].words, "18.00 us at seq-len 8,192");
    EXPECT_EQ(charts[0].table.rows().size(), 4U);
    const std::string json = chart_json({{"", charts}});
    EXPECT_THAT(json, testing::HasSubstr(R"("kind":"laws")"));
    EXPECT_THAT(json, testing::HasSubstr(R"("candidate":true)"));
}

TEST(LawChart, IsNoneWhereNothingMoves) {
    Experiment sweep = sweep_of_sides();
    sweep.runs.resize(1);
    EXPECT_TRUE(law_charts(sweep).empty());
}

} // namespace
} // namespace kvprof::report
