#include "capture/host/host_step.h"
#include "capture/verify.h"
#include "tests/capture/read_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace {

using namespace kvprof;
using test::gqa_step;
using test::Ids;
using test::StepRig;
using workload::BufferId;

constexpr std::int32_t kStale = 7;

/// Entries of an int32 table before a step: of another batch, say.
workload::InitialBuffer stale_table(const workload::StepPlan& plan, BufferId id) {
    const std::int64_t width = id == BufferId::table ? plan.table_width : plan.own_width;
    const std::vector<std::int32_t> cells(
        static_cast<std::size_t>(plan.spec.max_batch * width), kStale
    );
    workload::InitialBuffer buffer{id, {plan.spec.max_batch, width * 4, width * 4, 0}, {}};
    buffer.data.resize(cells.size() * sizeof(std::int32_t));
    std::memcpy(buffer.data.data(), cells.data(), buffer.data.size());
    return buffer;
}

/// A step whose tables hold stale entries before it runs.
struct StaleRig {
    StaleRig(const StepSpec& spec, std::vector<BufferId> tables)
        : plan(workload::plan_step(spec, {})),
          state(workload::make_state(plan)) {
        for (const BufferId table : tables) {
            state.buffers.push_back(stale_table(plan, table));
        }
        step = host::prepare_host_step(plan, state, host::KvPool::held);
        static_cast<void>(step->replay(1));
    }

    [[nodiscard]] Ids row(BufferId table, std::int64_t width, std::int64_t lane) const {
        const auto bytes = step->read(table, {1, width * 4, width * 4, lane * width * 4}, 0);
        std::vector<std::int32_t> narrow(static_cast<std::size_t>(width));
        std::memcpy(narrow.data(), bytes.data(), bytes.size());
        return {narrow.begin(), narrow.end()};
    }

    workload::StepPlan plan;
    workload::InitialState state;
    std::unique_ptr<PreparedStep> step;
};

struct Reader {
    friend void PrintTo(const Reader& reader, std::ostream* out) {
        *out << reader.backend << " at page size " << reader.page_size << ", stage "
             << to_string(reader.stage);
    }

    const char* backend;
    std::int64_t page_size;
    HistoryStage stage;
    BufferId read; ///< the table that attention reads
};

class DraftedTables : public testing::TestWithParam<Reader> {};

// Readers are bound by the widened lengths. In the engine at #37512 a table that was built to the
// lengths before drafts left columns below that bound with whatever a batch before had there.
TEST_P(DraftedTables, P16HoldNoStaleColumnBelowTheReadersBoundAndTheOldOnesPastIt) {
    const Reader& reader = GetParam();
    StepSpec spec = gqa_step(reader.backend, reader.page_size);
    if (std::string_view(reader.backend) == "trtllm_mla") {
        spec.preset = "tiny-mla";
    }
    spec.stage = reader.stage;
    spec.seq_len = 2 * reader.page_size - 1; // the drafts open a page
    spec.delta = 3;
    const StepRig wanted(spec);
    const StaleRig rig(spec, {reader.read});
    const std::int64_t width =
        reader.read == BufferId::table ? rig.plan.table_width : rig.plan.own_width;
    const auto columns = reference::page_table(test::read_inputs(wanted), width);
    ASSERT_EQ(columns.front().size(), reader.page_size == 1 ? 4U : 3U);
    for (std::int64_t lane = 0; lane < spec.batch; ++lane) {
        Ids row = columns[static_cast<std::size_t>(lane)];
        EXPECT_THAT(row, testing::Not(testing::Contains(kStale)));
        row.resize(static_cast<std::size_t>(width), kStale);
        EXPECT_EQ(rig.row(reader.read, width, lane), row) << "lane " << lane;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Readers,
    DraftedTables,
    testing::Values(
        Reader{"fa3", 1, HistoryStage::after_37512, BufferId::block_table},
        Reader{"fa3", 16, HistoryStage::after_37512, BufferId::block_table},
        Reader{"fa3", 16, HistoryStage::before, BufferId::table},
        Reader{"trtllm_mha", 16, HistoryStage::after_fused_write, BufferId::block_table},
        Reader{"trtllm_mha", 32, HistoryStage::before, BufferId::table},
        Reader{"trtllm_mla", 32, HistoryStage::after_37512, BufferId::block_table}
    )
);

TEST(TableStep, P16TheBoundOfATableReaderIsTheWidenedLength) {
    StepSpec spec = gqa_step("fa3");
    spec.delta = 3;
    const StepRig rig(spec);
    rig.run();
    EXPECT_THAT(rig.values<std::int32_t>(BufferId::lens32, 4), testing::ElementsAre(23, 23, 23, 4));
    EXPECT_THAT(
        rig.values<std::int32_t>(BufferId::cu_seqlens_k, 5), testing::ElementsAre(0, 23, 46, 69, 73)
    );
}

/// fa3 in every way that it can get its table.
std::vector<StepSpec> forms_of(const char* backend, std::int64_t page_size) {
    std::vector<StepSpec> forms;
    for (const MetadataForm metadata : {MetadataForm::plain, MetadataForm::eager}) {
        StepSpec spec = gqa_step(backend, page_size);
        spec.metadata = metadata;
        spec.pool = PoolKind::statik;
        forms.push_back(spec);
        spec.pool = PoolKind::unified;
        for (const IndexMode mode : {IndexMode::rectangle, IndexMode::table}) {
            spec.index_mode = mode;
            forms.push_back(spec);
        }
        spec.id_space = IdSpace::physical;
        forms.push_back(spec);
        spec.id_space = IdSpace::blocks;
        spec.table = LaunchForm::eager;
        forms.push_back(spec);
        spec.table = LaunchForm::fused;
        spec.table_tail = TableTail::zero;
        forms.push_back(spec);
        spec.table_tail = TableTail::keep;
        spec.compact_pages = 2;
        forms.push_back(spec);
    }
    return forms;
}

TEST(TableStep, P21AttentionOverATableIsTheSameInEveryForm) {
    for (const std::int64_t page_size : {1, 4, 32}) {
        StepSpec spec = gqa_step("fa3", page_size);
        spec.pool = PoolKind::statik;
        spec.seq_len = 70;
        const auto expected = test::outputs_of(spec);
        for (StepSpec form : forms_of("fa3", page_size)) {
            form.seq_len = 70;
            EXPECT_EQ(test::outputs_of(form), expected) << testing::PrintToString(form);
        }
    }
}

TEST(TableStep, P21EveryFormOfATrtllmTableIsProvenByVerification) {
    for (StepSpec form : forms_of("trtllm_mha", 16)) {
        const StepRig rig(form);
        const Check check = verify(*rig.step, rig.plan, rig.state);
        EXPECT_LT(check.attention_error.value_or(1.0), 1e-4) << testing::PrintToString(form);
    }
}

TEST(TableStep, P7ATablesEntriesAreThePageStartsOfTheStream) {
    for (const std::int64_t page_size : {1, 4, 16}) {
        const StepRig table(gqa_step("fa3", page_size));
        const StepRig stream(gqa_step("flashinfer", page_size));
        table.run();
        stream.run();
        for (std::int64_t lane = 0; lane < 3; ++lane) {
            const Ids entries =
                test::table_row(table, BufferId::block_table, table.plan.own_width, lane);
            const Ids ids = test::stream_ids(stream, BufferId::stream, 20, lane * 20);
            for (std::size_t position = 0; position < 20; ++position) {
                const auto offset = static_cast<std::int64_t>(position) % page_size;
                const auto column = position / static_cast<std::size_t>(page_size);
                EXPECT_EQ(entries[column] * page_size + offset, ids[position]);
            }
        }
    }
}

TEST(TableStep, P3AZeroTailClearsTheRowAndAKeptOneIsLeftAlone) {
    StepSpec spec = gqa_step("fa3", 4); // 5 pages a lane
    const StaleRig kept(spec, {BufferId::block_table});
    spec.table_tail = TableTail::zero;
    const StaleRig cleared(spec, {BufferId::block_table});
    spec.table = LaunchForm::eager;
    const StaleRig eager(spec, {BufferId::block_table});
    const std::int64_t width = kept.plan.own_width;
    const auto tail = [&](const StaleRig& rig) {
        const Ids row = rig.row(BufferId::block_table, width, 0);
        return Ids(row.begin() + 5, row.end());
    };
    EXPECT_THAT(tail(kept), testing::Each(kStale));
    EXPECT_THAT(tail(cleared), testing::Each(0));
    EXPECT_EQ(
        eager.row(BufferId::block_table, width, 2), cleared.row(BufferId::block_table, width, 2)
    );
}

TEST(TableStep, P6HolesAndTombstonesGiveTheSinkInEveryForm) {
    for (StepSpec form : forms_of("fa3", 4)) {
        form.compact_pages = 0;
        form.holes = 0.3;
        form.tombstones = form.pool == PoolKind::unified ? 0.3 : 0.0;
        const StepRig rig(form);
        rig.run();
        const auto in = test::read_inputs(rig);
        const std::int64_t width = rig.plan.own_width;
        const auto expected = rig.plan.is_unified() ? reference::page_table(in, width)
                                                    : reference::static_block_table(in, width);
        std::ptrdiff_t sinks = 0;
        for (std::size_t lane = 0; lane < 3; ++lane) {
            const auto own = static_cast<std::int64_t>(lane);
            Ids row = test::table_row(rig, BufferId::block_table, width, own);
            row.resize(expected[lane].size());
            EXPECT_EQ(row, expected[lane]) << testing::PrintToString(form);
            sinks += std::ranges::count(row, 0);
        }
        EXPECT_GT(sinks, 0) << testing::PrintToString(form);
    }
}

// Of fa3's metadata as tensor operations: add, scan, gather, divide (above page size 1), copy.
TEST(TableStep, MetadataTakesTheLaunchesOfTheCatalogue) {
    const auto launches = [](const char* backend, PoolKind pool, std::int64_t page_size) {
        StepSpec spec = gqa_step(backend, page_size);
        spec.pool = pool;
        spec.metadata = MetadataForm::eager;
        return StepRig(spec).index_launches();
    };
    EXPECT_EQ(launches("fa3", PoolKind::statik, 1), 4);
    EXPECT_EQ(launches("fa3", PoolKind::statik, 4), 5);
    EXPECT_EQ(launches("fa3", PoolKind::unified, 4), 2 + 1 + 1); // the table, the write location
    EXPECT_EQ(launches("trtllm_mha", PoolKind::statik, 16), 13);
    EXPECT_EQ(launches("trtllm_mha", PoolKind::unified, 16), 6 + 1 + 1);
}

TEST(TableStep, FormsOfTrtllmMetadataWriteTheSameLengthsAndTables) {
    for (const PoolKind pool : {PoolKind::statik, PoolKind::unified}) {
        StepSpec spec = gqa_step("trtllm_mha", 16);
        spec.pool = pool;
        spec.length_law = LengthLaw::ragged;
        spec.seq_len = 60;
        spec.metadata = MetadataForm::eager;
        const StepRig eager(spec);
        spec.metadata = MetadataForm::fused;
        const StepRig fused(spec);
        eager.run();
        fused.run();
        for (const BufferId id : {BufferId::cu_seqlens_k, BufferId::cu_seqlens_q}) {
            EXPECT_EQ(eager.values<std::int32_t>(id, 5), fused.values<std::int32_t>(id, 5));
        }
        const std::int64_t cells = eager.plan.own_width * 4;
        EXPECT_EQ(
            eager.values<std::int32_t>(BufferId::block_table, cells),
            fused.values<std::int32_t>(BufferId::block_table, cells)
        );
    }
}

} // namespace
