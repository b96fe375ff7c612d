#include "analyzers/systems_sections.h"

#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kvprof::analyzers {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// A run of the preset and backend: 10 us a step, `launches` before the replay, `graph` bytes.
Run system_run(
    PoolKind pool, std::int64_t launches, std::int64_t graph, std::int64_t step_us = 10
) {
    Run run = test::step_run(IndexMode::stream, {step_us});
    run.step.preset = "models/mine.toml";
    run.step.attention_backend = "triton";
    run.step.pool = pool;
    run.ops = {{OpKind::indptr, Stage::metadata, Placement::out, launches, 0}};
    run.graph_nodes = 4;
    run.memory = {
        {"stream", MemorySource::ledger, "graph", Bytes{graph}},
        {"stream", MemorySource::model, "always", Bytes{256}},
        {"table", MemorySource::model, "added", Bytes{graph - 256}}};
    return run;
}

std::string cell(const Section& section, std::size_t row, const std::string& column) {
    const auto& columns = section.table->columns();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].title == column) {
            return section.table->rows()[row][i].text;
        }
    }
    return "(no such column)";
}

TEST(SystemsSections, ARowStandsAgainstTheStaticOneOfItsPresetAndBackend) {
    const std::vector<kvprof::Run> runs{
        system_run(PoolKind::statik, 4, 256), system_run(PoolKind::unified, 10, 1280, 11)};
    const auto sections = systems_sections(runs);
    ASSERT_THAT(sections, SizeIs(1));
    EXPECT_EQ(sections[0].title, "mine");
    EXPECT_EQ(cell(sections[0], 0, "verdict"), "-");
    EXPECT_EQ(cell(sections[0], 1, "launches: before + in graph"), "10 + 4");
    EXPECT_EQ(cell(sections[0], 1, "launches vs static"), "+6");
    EXPECT_EQ(cell(sections[0], 1, "graph vs static"), "+1.0 KiB");
    EXPECT_EQ(cell(sections[0], 1, "added"), "1.0 KiB");
    EXPECT_EQ(cell(sections[0], 1, "step vs static"), "+10.00 %");
    EXPECT_EQ(
        cell(sections[0], 1, "verdict"),
        "launches regressed, graph memory regressed, time inconclusive"
    );
}

TEST(SystemsSections, EqualBytesAndLaunchesAreTheSameAndFewerAreImproved) {
    const std::vector<kvprof::Run> runs{
        system_run(PoolKind::statik, 4, 512), system_run(PoolKind::unified, 3, 512)};
    EXPECT_EQ(
        cell(systems_sections(runs)[0], 1, "verdict"),
        "launches improved, graph memory same, time inconclusive"
    );
    EXPECT_EQ(cell(systems_sections(runs)[0], 1, "graph vs static"), "0");
}

TEST(SystemsSections, ANoteOfSeveralRowsIsSaidOnceAndAReasonNotAtAll) {
    kvprof::Run first = system_run(PoolKind::statik, 4, 512);
    first.notes = {"page size 64 instead of 1", "synthetic-pool"};
    kvprof::Run second = system_run(PoolKind::unified, 4, 512);
    second.notes = {"page size 64 instead of 1"};
    second.samples.at(0).discarded = "the clock fell";
    kvprof::Run refused = first;
    refused.status = {RunState::not_run, "could not plan the step: a rule", 2};
    EXPECT_THAT(
        systems_remarks({first, second, refused}),
        ElementsAre(
            "2 rows: page size 64 instead of 1",
            "1 row: synthetic-pool",
            "1 row: samples were discarded"
        )
    );
}

TEST(SystemsSections, WhatWasNotRunIsNamedWithItsReasonAndCounted) {
    kvprof::Run refused = system_run(PoolKind::unified, 4, 512);
    refused.status = {RunState::not_run, "could not plan the step: a rule", 2};
    kvprof::Run other = refused;
    other.step.stage = HistoryStage::before;
    const std::vector<kvprof::Run> runs{system_run(PoolKind::statik, 4, 512), refused, other};
    const auto sections = systems_sections(runs);
    ASSERT_THAT(sections, SizeIs(2));
    EXPECT_EQ(sections[1].title, "not run");
    EXPECT_EQ(cell(sections[1], 0, "rows"), "2");
    EXPECT_EQ(cell(sections[1], 0, "pool and stage"), "unified after-fused-write, unified before");
    EXPECT_EQ(cell(sections[1], 0, "reason"), "could not plan the step: a rule");
    EXPECT_EQ(describe_systems(runs), "3 systems: 1 complete, 2 not-run");
}

TEST(SystemsSections, AnInvalidRowKeepsItsPlaceAndSaysWhy) {
    kvprof::Run wrong = system_run(PoolKind::unified, 4, 512);
    wrong.status = {RunState::invalid, "ids differ", 3};
    const std::vector<kvprof::Run> runs{system_run(PoolKind::statik, 4, 512), wrong};
    EXPECT_THAT(cell(systems_sections(runs)[0], 1, "verdict"), HasSubstr("invalid: ids differ"));
}

} // namespace
} // namespace kvprof::analyzers
