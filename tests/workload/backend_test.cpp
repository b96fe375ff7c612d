#include "capture/workload/backend.h"

#include "capture/model/error.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace {

using namespace kvprof;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using workload::Backend;
using workload::built_in_backends;
using workload::load_backend;
using workload::parse_backend;
using workload::resolved;

std::vector<std::string> names() {
    std::vector<std::string> list;
    for (const Backend& backend : built_in_backends()) {
        list.push_back(backend.name);
    }
    return list;
}

/// A valid file, and then what a test adds to it.
std::string file_with(const std::string& more) {
    return "name = \"mine\"\nprovenance = \"a test\"\nreads = \"stream\"\nindex = \"int32\"\n"
           "rows = \"any\"\nops = [\"indptr\", \"index\"]\nmetadata = [\"plain\"]\n"
           + more;
}

std::string refusal_of(const std::string& text) {
    try {
        static_cast<void>(parse_backend(text, "mine.toml"));
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Backends, AreSevenAndTheFamilyOfOneAndAPassthrough) {
    EXPECT_THAT(
        names(),
        ElementsAre(
            "flashinfer_mla",
            "flashinfer",
            "triton",
            "fa3",
            "trtllm_mha",
            "trtllm_mla",
            "cutedsl_mla",
            "tokenspeed_mla",
            "flashmla",
            "aiter"
        )
    );
    for (const Backend& backend : built_in_backends()) {
        EXPECT_FALSE(backend.provenance.empty()) << backend.name;
        EXPECT_EQ(load_backend(backend.name), backend);
    }
}

TEST(Backends, OfAFamilyDifferInTheirNamesAlone) {
    const Backend family = load_backend("trtllm_mla");
    for (const char* name : {"cutedsl_mla", "tokenspeed_mla"}) {
        Backend member = load_backend(name);
        EXPECT_EQ(member.family, "trtllm_mla");
        member.name = family.name;
        member.provenance = family.provenance;
        member.family = family.family;
        EXPECT_EQ(member, family) << name;
    }
}

TEST(Backends, ReadWhatTheDesignSaysTheyRead) {
    using workload::ReadForm;
    for (const Backend& backend : built_in_backends()) {
        const bool is_stream = backend.name.starts_with("flashinfer") || backend.name == "triton"
                               || backend.name == "aiter";
        EXPECT_EQ(backend.reads, is_stream ? ReadForm::stream : ReadForm::table) << backend.name;
        // Only triton's streams are int64.
        EXPECT_EQ(backend.index == kernels::IndexType::i64, backend.name == "triton");
        EXPECT_EQ(backend.translates, backend.name != "aiter");
    }
    EXPECT_EQ(load_backend("trtllm_mla").table_fill, -1);
    EXPECT_EQ(load_backend("flashmla").table_fill, 1);
}

TEST(Backends, OfAnUnknownNameSuggestTheNearest) {
    try {
        static_cast<void>(load_backend("flashinfer_mls"));
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("flashinfer_mls"));
        EXPECT_THAT(error.hint(), HasSubstr("flashinfer_mla"));
    }
    EXPECT_THROW(static_cast<void>(load_backend("./nowhere.toml")), UsageError);
}

TEST(BackendFiles, AreRefusedWithTheirPlace) {
    EXPECT_EQ(refusal_of(file_with("")), "accepted");
    EXPECT_THAT(refusal_of(file_with("colour = 1\n")), HasSubstr("mine.toml:8:1"));
    EXPECT_THAT(refusal_of(file_with("colour = 1\n")), HasSubstr("there is no key \"colour\""));
    EXPECT_THAT(refusal_of("name = \"x\"\n"), HasSubstr("\"provenance\" is missing"));
    EXPECT_THAT(
        refusal_of(file_with("later_ops = [\"len-cast\"]\n")), HasSubstr("must list \"index\"")
    );
    EXPECT_THAT(refusal_of(file_with("table_fill = 1.5\n")), HasSubstr("a whole number"));
    EXPECT_THAT(refusal_of(file_with("family = \"nobody\"\n")), HasSubstr("no built-in backend"));
}

TEST(BackendFiles, RefuseWhatIsNoFormula) {
    for (const char* bytes : {"4*Q", "4**B", "4*B -", "-4*B", "4 B", "0*B", "4*B + "}) {
        const std::string text =
            fmt::format("[[buffer]]\nname = \"stream\"\nbytes = \"{}\"\n", bytes);
        EXPECT_THAT(refusal_of(file_with(text)), HasSubstr("sum of products")) << bytes;
    }
    const std::string unknown =
        "[[buffer]]\nname = \"stream\"\nbytes = \"4*B\"\nwhen = [\"sometimes\"]\n";
    EXPECT_THAT(refusal_of(file_with(unknown)), HasSubstr("has no \"sometimes\""));
    const std::string twice = "[[buffer]]\nname = \"a\"\nbytes = \"B\"\n";
    EXPECT_THAT(refusal_of(file_with(twice + twice)), HasSubstr("has \"a\" twice"));
}

TEST(BackendFiles, SayWhichSymbolsAFormulaMayHave) {
    const std::string text = "[[buffer]]\nname = \"a\"\nbytes = \"4*Q\"\n";
    EXPECT_THAT(refusal_of(file_with(text)), HasSubstr("\"4*Q\" is no sum of products"));
    EXPECT_THAT(refusal_of(file_with(text)), HasSubstr("1048575 and the symbols B, N, C, ps"));
}

TEST(BackendFiles, RefuseTextThatNoTableCanShow) {
    const std::string named = "[[buffer]]\nbytes = \"4*B\"\nname = ";
    for (const std::string& name :
         {std::string("\"a\\u001b[31m\""),
          std::string("\"a\\nb\""),
          '"' + std::string(201, 'a') + '"'}) {
        EXPECT_THAT(refusal_of(file_with(named + name + "\n")), HasSubstr("1 to 200 bytes"));
    }
    EXPECT_EQ(refusal_of(file_with(named + '"' + std::string(200, 'a') + "\"\n")), "accepted");
}

/// A reader of that form whose metadata makes these launches.
std::string reader_with(const char* reads, const char* ops, const char* more = "") {
    return fmt::format(
        "name = \"mine\"\nprovenance = \"a test\"\nreads = \"{}\"\nindex = \"int32\"\n"
        "rows = \"any\"\nops = [{}]\nmetadata = [\"plain\"]\n{}",
        reads,
        ops,
        more
    );
}

TEST(BackendFiles, LaunchWhatTheirReaderNeeds) {
    const auto stream = [](const char* ops) { return refusal_of(reader_with("stream", ops)); };
    const auto table = [](const char* ops) { return refusal_of(reader_with("table", ops)); };
    EXPECT_EQ(stream("\"len-cast\", \"indptr\", \"index\""), "accepted");
    EXPECT_THAT(stream("\"index\""), HasSubstr("mine.toml:6:7: ops must list \"indptr\""));
    EXPECT_THAT(stream("\"len-cast\", \"index\""), HasSubstr("must list \"indptr\""));
    EXPECT_THAT(stream("\"indptr\", \"fa-metadata\", \"index\""), HasSubstr("they are of tables"));
    EXPECT_THAT(stream("\"index\", \"indptr\""), HasSubstr("in that order"));
    EXPECT_THAT(stream("\"indptr\", \"len-cast\", \"index\""), HasSubstr("in that order"));
    EXPECT_EQ(table("\"index\""), "accepted");
    EXPECT_EQ(table("\"index\", \"len-cast\""), "accepted");
    EXPECT_THAT(table("\"indptr\", \"index\""), HasSubstr("must not list \"indptr\""));
}

TEST(BackendFiles, HaveSplitsWithTheirLaunchOrNeither) {
    const char* const splits = "\"indptr\", \"kv-splits\", \"index\"";
    EXPECT_THAT(
        refusal_of(reader_with("stream", splits)), HasSubstr("must not list \"kv-splits\"")
    );
    EXPECT_EQ(refusal_of(reader_with("stream", splits, "has_splits = true\n")), "accepted");
    EXPECT_THAT(
        refusal_of(reader_with("stream", "\"indptr\", \"index\"", "has_splits = true\n")),
        HasSubstr("must list \"kv-splits\"")
    );
}

TEST(BackendFiles, OfAFamilyFitItsReaderToo) {
    const std::string head = "name = \"mine\"\nprovenance = \"a test\"\nfamily = \"triton\"\n";
    EXPECT_THAT(refusal_of(head + "reads = \"table\"\n"), HasSubstr("must not list \"indptr\""));
    EXPECT_THAT(refusal_of(head + "has_splits = false\n"), HasSubstr("\"kv-splits\""));
}

TEST(BackendFiles, OfAFamilyHoldWhatDiffers) {
    const Backend backend = parse_backend(
        "name = \"mine\"\nprovenance = \"a test\"\nfamily = \"triton\"\nindex = \"int32\"\n"
        "[[buffer]]\nname = \"stream\"\nbytes = \"4*U\"\n"
        "[[buffer]]\nname = \"workspace\"\nbytes = \"64*B\"\n",
        "mine.toml"
    );
    const Backend family = load_backend("triton");
    EXPECT_EQ(backend.index, kernels::IndexType::i32);
    EXPECT_EQ(backend.ops, family.ops);
    EXPECT_TRUE(backend.has_splits);
    ASSERT_EQ(backend.buffers.size(), family.buffers.size() + 1);
    EXPECT_EQ(backend.buffers.front().bytes.text, "4*U");
    EXPECT_EQ(backend.buffers.back().name, "workspace");
}

StepSpec at(HistoryStage stage, const char* backend = "flashinfer_mla") {
    StepSpec spec;
    spec.stage = stage;
    spec.attention_backend = backend;
    return resolved(spec);
}

TEST(Stages, DecideTheOptionsThatAreLeftToThem) {
    using enum HistoryStage;
    const std::pair<HistoryStage, const char*> kStages[]{
        {before, "rectangle ctx eager eager"},
        {after_37511, "rectangle bs fused eager"},
        {after_37512, "stream bs fused eager"},
        {after_fused_write, "stream bs fused fused"}};
    for (const auto& [stage, wanted] : kStages) {
        const StepSpec spec = at(stage);
        const auto text = fmt::format(
            "{} {} {} {}",
            to_string(spec.index_mode),
            to_string(spec.grid),
            to_string(spec.alloc),
            to_string(spec.write)
        );
        EXPECT_EQ(text, wanted) << to_string(stage);
        EXPECT_EQ(spec.table, LaunchForm::fused);
        EXPECT_EQ(spec.indptr, LaunchForm::eager);
        EXPECT_EQ(spec.metadata, MetadataForm::plain);
    }
    EXPECT_EQ(at(after_37512, "fa3").index_mode, IndexMode::table);
    EXPECT_EQ(at(after_37511, "fa3").index_mode, IndexMode::rectangle);
}

TEST(Stages, LeaveWhatIsGivenAndDecideNothingTwice) {
    StepSpec spec;
    spec.stage = HistoryStage::before;
    spec.write = LaunchForm::fused;
    spec.index_mode = IndexMode::stream;
    const StepSpec once = resolved(spec);
    EXPECT_EQ(once.write, LaunchForm::fused);
    EXPECT_EQ(once.index_mode, IndexMode::stream);
    EXPECT_EQ(once.grid, Grid::ctx);
    EXPECT_EQ(resolved(once), once);
}

TEST(Stages, GiveAStaticPoolTheReadersOwnFormAlways) {
    for (const auto& [stage, name] : EnumNames<HistoryStage>::values) {
        StepSpec spec;
        spec.pool = PoolKind::statik;
        spec.stage = stage;
        EXPECT_EQ(resolved(spec).index_mode, IndexMode::stream) << name;
        spec.attention_backend = "flashmla";
        EXPECT_EQ(resolved(spec).index_mode, IndexMode::table) << name;
    }
}

} // namespace
