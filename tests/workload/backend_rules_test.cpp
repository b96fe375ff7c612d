#include "capture/workload/backend_rules.h"

#include "capture/model/error.h"
#include "capture/workload/step_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <set>
#include <string>

namespace {

using namespace kvprof;
using testing::HasSubstr;
using testing::StartsWith;

std::string refusal_of(const StepSpec& spec) {
    try {
        static_cast<void>(workload::plan_step(spec, {}));
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

StepSpec on(const char* preset, const char* backend, std::int64_t page_size = 1) {
    StepSpec spec;
    spec.preset = preset;
    spec.attention_backend = backend;
    spec.page_size = page_size;
    spec.batch = 4;
    spec.max_batch = 8;
    spec.seq_len = 100;
    return spec;
}

/// A step that is one change away from one that is legal.
struct Illegal {
    friend void PrintTo(const Illegal& illegal, std::ostream* out) {
        *out << illegal.rule << ": " << illegal.cause;
    }

    const char* rule;
    const char* cause; ///< the values, as the message has them
    StepSpec legal;
    std::function<void(StepSpec&)> change;
};

class BackendRules : public testing::TestWithParam<Illegal> {};

TEST_P(BackendRules, RefuseByNameWithTheValuesAndTakeTheNearestThatFits) {
    const Illegal& illegal = GetParam();
    EXPECT_EQ(refusal_of(illegal.legal), "accepted");
    StepSpec spec = illegal.legal;
    illegal.change(spec);
    const std::string refusal = refusal_of(spec);
    EXPECT_THAT(
        refusal, StartsWith(std::string("could not plan the step: rule ") + illegal.rule + ": ")
    );
    EXPECT_THAT(refusal, HasSubstr(illegal.cause));
}

std::vector<Illegal> illegal_backends() {
    StepSpec passthrough = on("tiny-gqa", "aiter");
    passthrough.pool = PoolKind::statik;
    return {
        {"page-size",
         "16, 32, 64 tokens, and --page-size is 1",
         on("tiny-gqa", "trtllm_mha", 16),
         [](StepSpec& s) { s.page_size = 1; }},
        {"page-size",
         "32, 64 tokens, and --page-size is 16",
         on("tiny-mla", "cutedsl_mla", 32),
         [](StepSpec& s) { s.page_size = 16; }},
        {"page-size",
         "64 tokens, and --page-size is 32",
         on("tiny-mla", "flashmla", 64),
         [](StepSpec& s) { s.page_size = 32; }},
        {"page-size-power-of-two",
         "--page-size is 3",
         on("tiny-gqa", "fa3", 4),
         [](StepSpec& s) { s.page_size = 3; }},
        {"rows",
         "flashinfer_mla reads MLA rows, and tiny-gqa has MHA rows",
         on("tiny-mla", "flashinfer_mla"),
         [](StepSpec& s) { s.preset = "tiny-gqa"; }},
        {"rows",
         "flashinfer reads MHA rows, and tiny-mla has MLA rows",
         on("tiny-gqa", "flashinfer"),
         [](StepSpec& s) { s.preset = "tiny-mla"; }},
        {"pool",
         "aiter takes ids as they are",
         passthrough,
         [](StepSpec& s) { s.pool = PoolKind::unified; }},
    };
}

StepSpec fused_step() {
    StepSpec spec = on("tiny-gqa", "flashinfer");
    spec.metadata = MetadataForm::fused;
    spec.delta = 2;
    return spec;
}

std::vector<Illegal> illegal_reads() {
    return {
        {"index-mode",
         "flashinfer reads a stream, which --index-mode table does not build",
         on("tiny-gqa", "flashinfer"),
         [](StepSpec& s) { s.index_mode = IndexMode::table; }},
        {"index-mode",
         "fa3 reads page tables, which --index-mode both does not build",
         on("tiny-gqa", "fa3"),
         [](StepSpec& s) { s.index_mode = IndexMode::both; }},
        {"index-mode",
         "--pool static has none",
         on("tiny-gqa", "flashinfer"),
         [](StepSpec& s) {
             s.pool = PoolKind::statik;
             s.index_mode = IndexMode::both;
         }},
        {"metadata-form",
         "triton has no --metadata eager",
         on("tiny-gqa", "triton"),
         [](StepSpec& s) { s.metadata = MetadataForm::eager; }},
        {"fused-metadata",
         "--metadata fused of flashinfer is one launch for all index work, and goes without --dcp "
         "2",
         fused_step(),
         [](StepSpec& s) {
             s.delta = 0;
             s.dcp = 2;
         }},
        {"fused-metadata",
         "goes without --verify ragged",
         fused_step(),
         [](StepSpec& s) { s.verify = VerifyMode::ragged; }},
        {"fused-metadata",
         "goes without --grid ctx",
         fused_step(),
         [](StepSpec& s) { s.grid = Grid::ctx; }},
        {"dcp-reads",
         "fa3 reads tables, and under --dcp 2",
         on("tiny-gqa", "fa3"),
         [](StepSpec& s) { s.dcp = 2; }},
        {"dcp-reads",
         "nothing fills the table of --index-mode both",
         on("tiny-gqa", "flashinfer"),
         [](StepSpec& s) {
             s.dcp = 2;
             s.index_mode = IndexMode::both;
         }},
        {"dcp-windows",
         "tiny-swa has sliding windows",
         on("tiny-swa", "triton"),
         [](StepSpec& s) { s.dcp = 2; }},
        {"dcp-alone",
         "--dcp 2 goes without --churn",
         on("tiny-gqa", "flashinfer"),
         [](StepSpec& s) {
             s.dcp = 2;
             s.churn = 0.25;
         }},
    };
}

std::vector<Illegal> illegal_options() {
    StepSpec drafted = on("tiny-mla", "flashinfer_mla");
    drafted.delta = 2;
    StepSpec shared = on("tiny-gqa", "fa3");
    shared.consumers = 2;
    StepSpec moved = on("tiny-gqa", "fa3");
    moved.compact_pages = 8;
    return {
        {"verify",
         "--verify uniform needs 1 to 4096 draft tokens a lane, and --delta is 0",
         drafted,
         [](StepSpec& s) {
             s.verify = VerifyMode::uniform;
             s.delta = 0;
         }},
        {"consumers",
         "--consumers 2 of fa3",
         shared,
         [](StepSpec& s) { s.index_mode = IndexMode::rectangle; }},
        {"id-space",
         "--id-space physical has no effect",
         on("tiny-gqa", "fa3"),
         [](StepSpec& s) {
             s.pool = PoolKind::statik;
             s.id_space = IdSpace::physical;
         }},
        {"compact-pages",
         "--compact-pages 8 goes without --pool static",
         moved,
         [](StepSpec& s) { s.pool = PoolKind::statik; }},
        {"compact-pages",
         "--compact-pages 8 goes without --churn",
         moved,
         [](StepSpec& s) { s.churn = 0.25; }},
    };
}

std::vector<Illegal> illegal_steps() {
    std::vector<Illegal> all;
    for (const auto& part : {illegal_backends(), illegal_reads(), illegal_options()}) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Steps, BackendRules, testing::ValuesIn(illegal_steps()));

/// Rules that no built-in combination breaks first: they are asked directly.
TEST(BackendRule, OfHeadsRefusesGemma4OnTrtllmMha) {
    StepSpec spec = on("tiny-gqa", "trtllm_mha", 16);
    workload::ModelSpec model;
    model.name = "gemma-4";
    model.full = {.layers = 1, .kv_heads = 1, .head_dim = 512};
    const auto backend = workload::load_backend("trtllm_mha");
    spec = workload::resolved(spec, backend);
    try {
        workload::check_backend(spec, model, backend);
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("rule head-dim: trtllm_mha reads heads of up to 256"));
        EXPECT_THAT(error.what(), HasSubstr("has heads of 512"));
    }
    model.full.head_dim = 256;
    EXPECT_NO_THROW(workload::check_backend(spec, model, backend));
}

TEST(BackendRule, OfDivisorsRefusesAPageThatIsNoPartOfABlock) {
    auto backend = workload::load_backend("trtllm_mha");
    backend.page_sizes.clear();
    EXPECT_TRUE(workload::takes_page_size(backend, 64));
    EXPECT_FALSE(workload::takes_page_size(backend, 3));
    workload::ModelSpec model;
    model.full = {.layers = 1, .kv_heads = 1, .head_dim = 64};
    const StepSpec spec = workload::resolved(on("tiny-gqa", "trtllm_mha", 3), backend);
    try {
        workload::check_backend(spec, model, backend);
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("rule page-size-divides: "));
        EXPECT_THAT(error.hint(), HasSubstr("divides 4096"));
    }
}

TEST(BackendRule, OfEachNameIsTested) {
    std::set<std::string> tested{"head-dim", "page-size-divides"};
    for (const Illegal& illegal : illegal_steps()) {
        tested.insert(illegal.rule);
    }
    for (const std::string_view rule : workload::backend_rules()) {
        EXPECT_TRUE(tested.contains(std::string(rule))) << rule;
    }
    EXPECT_EQ(tested.size(), workload::backend_rules().size());
}

TEST(BackendRule, P17ARectangleIsHeldUnderContextParallelismBeforeStreamsAndNothingElse) {
    StepSpec spec = on("tiny-gqa", "flashinfer");
    spec.dcp = 2;
    spec.stage = HistoryStage::before;
    EXPECT_EQ(refusal_of(spec), "accepted");
    spec.pool = PoolKind::statik;
    EXPECT_EQ(refusal_of(spec), "accepted");
    spec.index_mode = IndexMode::rectangle;
    EXPECT_THAT(refusal_of(spec), HasSubstr("rule dcp-reads"));
}

} // namespace
