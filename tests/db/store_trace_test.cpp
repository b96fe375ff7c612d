#include "capture/model/error.h"
#include "db/store.h"
#include "tests/db/store_file.h"
#include "tests/support/example_runs.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace kvprof::db {
namespace {

using std::chrono::nanoseconds;
using test::error_of;
using test::traced_run;
using test::uuid_of;
using testing::HasSubstr;
using testing::IsEmpty;

/// A traced run that has graph spans and a second batch too.
kvprof::Run whole_run() {
    kvprof::Run run = traced_run();
    run.graph_spans = {nanoseconds(105'320), nanoseconds(104'410)};
    // What no pass with figures has, and a column must hold all the same.
    PassResult& nodes = run.passes.at(2);
    nodes.graphs = 3;
    nodes.dropped = 4;
    nodes.unattributed = 5;
    nodes.batches.push_back(
        {.ordinal = 1, .steps = 1, .gpu_time = nanoseconds(9), .recorded = std::nullopt}
    );
    run.step_records.at(1).batch = 1;
    run.passes.at(1).orphans = 1;
    run.conditions.at(0).pass = Pass::graph;
    run.events.at(4).rank = 3;
    run.events.at(4).device = 1;
    return run;
}

class StoreTraceTest : public testing::Test {
  protected:
    test::StoreFolder folder_;
    Store store_{folder_.file(), OpenMode::create};

    void add(const kvprof::Run& run) {
        Experiment experiment;
        experiment.uuid = uuid_of('e');
        experiment.runs = {run};
        store_.add_experiment(experiment);
    }

    /// The stored run with its events.
    [[nodiscard]] kvprof::Run stored() const {
        kvprof::Run run = store_.load_runs({uuid_of('4')}).front();
        run.events = store_.load_events(run.uuid);
        return run;
    }

    [[nodiscard]] std::int64_t number(const std::string& sql) const {
        SQLite::Database raw(folder_.file().string(), SQLite::OPEN_READONLY);
        return raw.execAndGet(sql).getInt64();
    }
};

template<typename T, typename Differs>
bool any_differs(const std::vector<T>& rows, Differs differs) {
    return std::any_of(rows.begin(), rows.end(), differs);
}

// Each list names every member: one that is added stops the build here, and asks for a column.
TEST(WholeRun, LeavesNoMemberOfThePassesAtItsDefault) {
    const kvprof::Run run = whole_run();
    EXPECT_TRUE(any_differs(run.passes, [](const PassResult& row) {
        const auto& [pass, failure, steps, graphs, batches, records, dropped, untimed, orphans, node, launch, lost, checked] =
            row;
        return pass == Pass::nodes && failure.empty() && steps != 0 && graphs != 1
               && batches.size() == 2 && records != 0 && dropped != 0 && untimed == 0
               && orphans == 0 && node != 0 && launch != 0 && lost != 0 && checked != 0;
    }));
    EXPECT_TRUE(any_differs(run.passes, [](const PassResult& row) {
        return !row.failure.empty() && row.untimed != 0 && row.orphans != 0;
    }));
    const auto& [ordinal, steps, gpu, wall, recorded] = run.passes.at(2).batches.at(0);
    EXPECT_TRUE(steps != 0 && gpu.count() != 0 && wall.count() != 0 && recorded);
    EXPECT_EQ(run.passes.at(2).batches.at(1).ordinal, ordinal + 1);
    EXPECT_FALSE(run.passes.at(2).batches.at(1).recorded);
    EXPECT_TRUE(any_differs(run.calls, [](const ApiStat& row) {
        const auto& [call, kind, role, op, captured, calls, failed] = row;
        return !call.empty() && kind == ApiKind::kernel_launch && role == Role::op && op && captured
               && calls != 0 && failed == 0;
    }));
    EXPECT_TRUE(any_differs(run.calls, [](const ApiStat& row) { return row.failed != 0; }));
}

TEST(WholeRun, LeavesNoMemberOfTheTraceAtItsDefault) {
    const kvprof::Run run = whole_run();
    const auto& [op, placement, kind, copy, name, grid, block, registers, fixed_bytes, dynamic_bytes, local_bytes, launches, time, shortest, longest, blocks, live] =
        run.kernels.at(1);
    EXPECT_TRUE(op != OpKind{} && placement == Placement::out && kind == ActivityKind::kernel);
    EXPECT_TRUE(copy == CopyKind::none && run.kernels.at(2).copy == CopyKind::device_to_device);
    EXPECT_TRUE(!name.empty() && grid != Dim3{} && block != Dim3{} && registers != 0);
    EXPECT_TRUE(fixed_bytes != 0 && dynamic_bytes != 0 && local_bytes != 0 && launches != 0);
    EXPECT_TRUE(time > longest && longest > shortest && shortest.count() != 0 && blocks != 0);
    EXPECT_TRUE(!live && run.kernels.at(0).blocks_with_work);
    const auto& [step, sampled_op, sampled_placement, sampled_records, sampled_time] =
        run.op_samples.at(2);
    EXPECT_TRUE(step != 0 && sampled_op != OpKind{} && sampled_placement == Placement::out);
    EXPECT_TRUE(sampled_records != 0 && sampled_time.count() != 0);
    const auto& [row_step, batch, records, span, busy_sum, busy_union, tail] =
        run.step_records.at(1);
    EXPECT_TRUE(row_step != 0 && batch != 0 && records != 0 && span.count() != 0);
    EXPECT_TRUE(busy_sum.count() != 0 && busy_union.count() != 0);
    EXPECT_TRUE(!tail && run.step_records.at(0).tail);
    const auto& [event_step, kernel, stream, node, start, duration, rank, device] =
        run.events.at(4);
    EXPECT_TRUE(event_step != 0 && kernel != 0 && stream != 0 && start.count() != 0);
    EXPECT_TRUE(duration.count() != 0 && node == 0 && run.events.at(5).node != 0);
    EXPECT_TRUE(rank != 0 && device != 0);
    EXPECT_EQ(run.graph_spans.size(), 2U);
}

TEST(WholeRun, LeavesNoMemberOfTheCircumstancesAtItsDefault) {
    const kvprof::Run run = whole_run();
    const auto& [steps, before, launch, after] = run.host_times.value();
    EXPECT_TRUE(steps != 0 && before.count() != 0 && launch.count() != 0 && after.count() != 0);
    const auto& [when, sm_clock, memory_clock, temperature, power, reasons, used, utilization] =
        run.states.at(0);
    EXPECT_TRUE(!when.empty() && sm_clock && memory_clock && temperature && power && reasons);
    EXPECT_TRUE(used && utilization && !run.states.at(2).power_mw);
    const auto& [kind, detail, pass] = run.conditions.at(0);
    EXPECT_TRUE(kind != ConditionKind{} && !detail.empty() && pass != Pass::timing);
    const auto& [mark, source, bytes] = run.marks.at(5);
    EXPECT_TRUE(mark != MemoryMark{} && source != MemorySource{} && bytes.count != 0);
    const auto& [executables, nodes, taken] = run.executables.at(1);
    EXPECT_TRUE(executables != 0 && nodes != 0 && taken.count != 0);
    EXPECT_TRUE(run.slack);
}

TEST_F(StoreTraceTest, GivesBackEveryFactOfThePasses) {
    add(whole_run());
    EXPECT_EQ(stored(), whole_run());
}

TEST_F(StoreTraceTest, LeavesEventsOutUntilTheyAreAskedFor) {
    add(whole_run());
    EXPECT_THAT(store_.load_experiment(uuid_of('e')).runs.at(0).events, IsEmpty());
    EXPECT_THAT(store_.load_runs({uuid_of('4')}).at(0).events, IsEmpty());
    EXPECT_EQ(store_.load_events(uuid_of('4')), whole_run().events);
    EXPECT_THAT(
        error_of<StoreError>([&] { std::ignore = store_.load_events(uuid_of('9')); }),
        HasSubstr("could not read run 9999")
    );
}

TEST_F(StoreTraceTest, KeepsEventsOfTwoRunsApart) {
    add(whole_run());
    kvprof::Run other = whole_run();
    other.uuid = uuid_of('5');
    other.events.resize(1);
    other.events[0].stream = 99;
    store_.add_run(uuid_of('e'), other);
    EXPECT_EQ(store_.load_events(uuid_of('5')), other.events);
    EXPECT_EQ(store_.load_events(uuid_of('4')), whole_run().events);
}

TEST_F(StoreTraceTest, KeepsNodeIdsOfAll64Bits) {
    kvprof::Run run = whole_run();
    run.events[0].node = std::numeric_limits<std::uint64_t>::max();
    run.events[1].node = std::uint64_t{1} << 63U;
    add(run);
    EXPECT_EQ(stored().events, run.events);
    EXPECT_EQ(number("SELECT node FROM kernel_event WHERE ordinal = 0"), -1);
}

TEST_F(StoreTraceTest, KeepsEventsAndCallsInTheirOrder) {
    kvprof::Run run = whole_run();
    std::reverse(run.events.begin(), run.events.end());
    std::reverse(run.calls.begin(), run.calls.end());
    std::reverse(run.kernels.begin(), run.kernels.end());
    std::reverse(run.op_samples.begin(), run.op_samples.end());
    std::reverse(run.marks.begin(), run.marks.end());
    add(run);
    EXPECT_EQ(stored(), run);
}

TEST_F(StoreTraceTest, GivesPassesInTheOrderOfTheirKind) {
    kvprof::Run run = whole_run();
    std::reverse(run.passes.begin(), run.passes.end());
    add(run);
    EXPECT_EQ(stored().passes, whole_run().passes);
}

TEST_F(StoreTraceTest, RefusesOnePassTwice) {
    kvprof::Run run = whole_run();
    run.passes.push_back(run.passes.front());
    EXPECT_THAT(error_of<StoreError>([&] { add(run); }), HasSubstr("UNIQUE constraint failed"));
    EXPECT_THAT(store_.list_experiments(), IsEmpty());
}

TEST_F(StoreTraceTest, KeepsTheDifferenceBetweenZeroAndAbsent) {
    kvprof::Run run = whole_run();
    run.slack = Bytes{0};
    run.host_times = HostTimes{};
    run.states[2].power_mw = 0;
    run.kernels[1].blocks_with_work = 0;
    run.step_records[1].tail = nanoseconds(0);
    run.passes[2].batches[1].recorded = nanoseconds(0);
    add(run);
    EXPECT_EQ(stored(), run);
}

TEST_F(StoreTraceTest, RemovingARunLeavesNoRowBehind) {
    add(whole_run());
    store_.remove(uuid_of('4'));
    SQLite::Database raw(folder_.file().string(), SQLite::OPEN_READONLY);
    SQLite::Statement tables(
        raw, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'experiment'"
    );
    int count = 0;
    for (; tables.executeStep(); ++count) {
        const std::string table = tables.getColumn(0).getString();
        EXPECT_EQ(number("SELECT count(*) FROM " + table), 0) << table;
    }
    EXPECT_GT(count, 20);
}

// A child table whose run is found by scanning it would make `rm` slow in a large store.
TEST_F(StoreTraceTest, FindsTheRowsOfARunByAnIndexInEveryTable) {
    SQLite::Database raw(folder_.file().string(), SQLite::OPEN_READONLY);
    SQLite::Statement tables(
        raw,
        "SELECT t.name FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c "
        "WHERE t.type = 'table' AND c.name = 'run_id'"
    );
    while (tables.executeStep()) {
        const std::string table = tables.getColumn(0).getString();
        SQLite::Statement plan(
            raw, "EXPLAIN QUERY PLAN SELECT * FROM " + table + " WHERE run_id = 1"
        );
        ASSERT_TRUE(plan.executeStep());
        EXPECT_THAT(plan.getColumn(3).getString(), testing::StartsWith("SEARCH")) << table;
    }
}

TEST(StoreTraceWords, AreReportedWhenTheyAreNotKnown) {
    for (const char* change :
         {"UPDATE pass SET pass = 'teleport' WHERE pass = 'counts'",
          "UPDATE api_stat SET kind = 'teleport'",
          "UPDATE api_stat SET role = 'teleport'",
          "UPDATE api_stat SET op = 'teleport'",
          "UPDATE kernel_stat SET op = 'teleport'",
          "UPDATE kernel_stat SET placement = 'teleport'",
          "UPDATE kernel_stat SET kind = 'teleport'",
          "UPDATE kernel_stat SET copy = 'teleport'",
          "UPDATE op_sample SET op = 'teleport'",
          "UPDATE op_sample SET placement = 'teleport'",
          "UPDATE memory_mark SET mark = 'teleport'",
          "UPDATE memory_mark SET source = 'teleport'",
          "UPDATE run_condition SET kind = 'teleport'"}) {
        const test::StoreFolder folder;
        Store store(folder.file(), OpenMode::create);
        Experiment experiment;
        experiment.runs = {traced_run()};
        store.add_experiment(experiment);
        SQLite::Database(folder.file().string(), SQLite::OPEN_READWRITE).exec(change);
        EXPECT_THAT(
            error_of<StoreError>([&] { std::ignore = store.load_runs({uuid_of('4')}); }),
            HasSubstr("\"teleport\" has no meaning in this program")
        ) << change;
    }
}

} // namespace
} // namespace kvprof::db
