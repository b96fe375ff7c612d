#include "report/gzip.h"
#include "tests/import/kineto_rig.h"

#include <gmock/gmock.h>

namespace kvprof::import {
namespace {

using report::gzip;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const ReadOptions kPartial{.allow_partial = true};

std::int64_t kernels(const FileProfile& read) {
    return figure(read, "gpu.kernel.count").value_or(-1);
}

TEST(KinetoFile, ReadsBothFormsPlainAndPacked) {
    for (const std::string& text :
         {trace_of(kKernel), "[" + kKernel + "]", "\xEF\xBB\xBF" + trace_of(kKernel)}) {
        EXPECT_EQ(kernels(read_text(text)), 1);
        EXPECT_EQ(kernels(read_text(gzip(text))), 1);
        EXPECT_EQ(kernels(read_text(gzip(text.substr(0, 9)) + gzip(text.substr(9)))), 1);
    }
}

TEST(KinetoFile, ReadsOnlyTheEventsOfTheFilesOwnObject) {
    const FileProfile read = read_text(trace_of(
        kKernel, R"("note": "a ] } \" [ {", "nested": {"traceEvents": [)" + kKernel + "]}, "
    ));
    EXPECT_EQ(kernels(read), 1);
    EXPECT_EQ(warned(read, "duplicate-traceEvents"), 0);
}

TEST(KinetoFile, AppendsASecondListAndWarns) {
    const FileProfile read = read_text(trace_of(kKernel, R"("traceEvents": [)" + kKernel + "], "));
    EXPECT_EQ(kernels(read), 2);
    EXPECT_EQ(warned(read, "duplicate-traceEvents"), 2);
}

TEST(KinetoFile, TakesWhatWritersLeaveBehind) {
    EXPECT_EQ(warned(read_text(trace_of(kKernel + ", ")), "trailing-comma"), 1);
    EXPECT_EQ(warned(read_text("[" + kKernel + ",\n"), "unterminated-array"), 1);
    EXPECT_EQ(warned(read_text("[" + kKernel), "unterminated-array"), 1);
    EXPECT_EQ(warned(read_text(trace_of(kKernel) + std::string(3, '\0')), "trailing-data"), 1);
    EXPECT_EQ(warned(read_text(gzip(trace_of(kKernel)) + "garbage"), "trailing-data"), 1);
    EXPECT_EQ(warned(read_text(trace_of(kKernel) + "\n"), "trailing-data"), 0);
}

TEST(KinetoFile, NamesRankDeviceAndSettings) {
    const FileProfile read = read_text(trace_of(
        kKernel,
        R"("deviceProperties": [{"id": 3, "name": "other"}, {"id": 0, "name": "NVIDIA H200"}],
           "distributedInfo": {"backend": "nccl", "rank": 5, "world_size": 8},
           "with_stack": 1, "profile_memory": 0, )"
    ));
    ASSERT_EQ(read.profile.ranks.size(), 1U);
    EXPECT_EQ(read.profile.ranks[0].rank, "5");
    EXPECT_EQ(read.profile.ranks[0].gpu, "NVIDIA H200"); // of device 0, which ran the kernel
    EXPECT_EQ(read.profile.writer, "Kineto");
    EXPECT_EQ(capability(read, "stacks"), Capability::carried);
    EXPECT_EQ(capability(read, "memory"), Capability::absent);
    EXPECT_EQ(capability(read, "graph-nodes"), Capability::unknown);
}

TEST(KinetoFile, SeesStacksAndMemoryInRowsOfFilesWithoutSettings) {
    const FileProfile read = read_text(trace_of(
        R"({"ph": "X", "cat": "python_function", "name": "f", "ts": 1, "dur": 1},
           {"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "ts": 1},)"
        + kKernel
    ));
    EXPECT_EQ(capability(read, "stacks"), Capability::carried);
    EXPECT_EQ(capability(read, "memory"), Capability::carried);
    EXPECT_EQ(capability(read, "cpu-ops"), Capability::unknown);
}

// Users put whole environments into their metadata, and the names of frames can hold anything.
TEST(KinetoFile, KeepsNothingOfMetadataArgumentsAndFrames) {
    const std::string events =
        R"({"ph": "X", "cat": "python_function", "name": "hf_frame", "ts": 1, "dur": 1},
           {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 1,
            "args": {"Concrete Inputs": ["hf_argument"], "correlation": "hf_correlation"}},)"
        + kKernel;
    const std::string members =
        R"("metadata": {"system": {"env": {"HF_TOKEN": "hf_secret"}}}, "hf_member": "hf_value", )";
    const test::WrittenFile file(trace_of(events, members));
    ProfileBuilder builder({});
    read_kineto(file.path(), {}, builder);
    for (std::uint32_t id = 0; id < builder.names().size(); ++id) {
        EXPECT_THAT(builder.names().text(id), Not(HasSubstr("hf_")));
    }
    for (const ProfileWarning& warning : builder.finish("x").profile.warnings) {
        EXPECT_THAT(warning.text, Not(HasSubstr("hf_")));
    }
}

TEST(KinetoFile, RefusesWhatIsNoTraceAndNamesItsMembers) {
    EXPECT_EQ(refusal_of(R"({"schemaVersion": 1, "foo": [1]})").word(), "not-a-trace");
    EXPECT_THAT(
        refusal_of(R"({"schemaVersion": 1, "foo": [1]})").what(), HasSubstr("schemaVersion, foo)")
    );
    for (const char* text : {"[1, 2]", "[{}]", R"({"traceEvents": 7})", "hello", "{}"}) {
        EXPECT_EQ(refusal_of(text).word(), "not-a-trace") << text;
    }
    EXPECT_EQ(refusal_of(std::string("\xFF\xFE{\0", 4)).word(), "utf-16");
    EXPECT_EQ(refusal_of(" \n").word(), "empty-file");
    EXPECT_EQ(refusal_of(gzip("")).word(), "empty-file");
}

TEST(KinetoFile, RefusesAPartOfATraceUnlessItWasAskedFor) {
    const std::string whole = trace_of(kKernel + "," + kernel_named(R"("late")"));
    const std::string cut = whole.substr(0, whole.find("late"));
    EXPECT_EQ(refusal_of(cut).word(), "truncated-json");
    EXPECT_THAT(refusal_of(cut).what(), HasSubstr("at byte " + std::to_string(cut.size())));
    EXPECT_THAT(refusal_of(cut).hint(), HasSubstr("--allow-partial"));
    const FileProfile read = read_text(cut, kPartial);
    EXPECT_TRUE(read.profile.is_partial);
    EXPECT_EQ(kernels(read), 1);
    EXPECT_EQ(warned(read, "truncated-json"), 1);
    EXPECT_EQ(
        refusal_of(trace_of(kKernel).substr(0, trace_of(kKernel).size() - 1)).word(),
        "truncated-json"
    ); // only the last bracket is missing
    EXPECT_EQ(refusal_of(R"({"schemaVersion": 1)", kPartial).word(), "truncated-json");
}

TEST(KinetoFile, RefusesAPackedPartUnlessItWasAskedFor) {
    const std::string packed = gzip(trace_of(kKernel));
    for (const std::size_t missing : {1U, 8U}) { // the text is whole, its checksum is not there
        const std::string cut = packed.substr(0, packed.size() - missing);
        EXPECT_EQ(refusal_of(cut).word(), "truncated-gzip");
        const FileProfile read = read_text(cut, kPartial);
        EXPECT_TRUE(read.profile.is_partial);
        EXPECT_EQ(kernels(read), 1);
        EXPECT_EQ(warned(read, "truncated-gzip"), 1);
    }
    const std::string in_array = gzip("[" + kKernel + ",");
    EXPECT_EQ(refusal_of(in_array.substr(0, in_array.size() - 8)).word(), "truncated-gzip");
}

TEST(KinetoFile, RefusesAWrongChecksumWhateverWasAskedFor) {
    std::string packed = gzip(trace_of(kKernel));
    packed[packed.size() - 6] ^= 0x55;
    EXPECT_EQ(refusal_of(packed).word(), "gzip-crc");
    EXPECT_EQ(refusal_of(packed, kPartial).word(), "gzip-crc");
    std::string invalid = gzip("[" + kKernel + " oops]");
    invalid[invalid.size() - 6] ^= 0x55;
    EXPECT_EQ(refusal_of(invalid).word(), "gzip-crc"); // which is why it is no JSON
}

TEST(KinetoFile, GoesOnBehindANameWithQuotesOnlyWhenAsked) {
    const std::string frame =
        R"({"ph": "X", "cat": "python_function", "name": "{"device": "cpu"}(12): run", "ts": 1})";
    const std::string text = trace_of(kKernel + ", " + frame + ", " + kernel_named(R"("late")"));
    const RefusedError refused = refusal_of(text);
    EXPECT_EQ(refused.word(), "invalid-json");
    EXPECT_THAT(
        refused.what(), HasSubstr("at byte " + std::to_string(text.find("device\": \"cpu")))
    );
    EXPECT_THAT(refused.hint(), HasSubstr("without with_stack"));
    const FileProfile read = read_text(text, kPartial);
    EXPECT_TRUE(read.profile.is_partial);
    EXPECT_THAT(kernel_names(read), ElementsAre("k", "late"));
    EXPECT_EQ(warned(read, "invalid-json"), 1);
    EXPECT_EQ(warned(read, "truncated-json"), 0);
}

TEST(KinetoFile, SalvagesUpToAMistakeThatNothingFollows) {
    const FileProfile read = read_text(trace_of(kKernel + R"(, {"ph": "X" oops})"), kPartial);
    EXPECT_TRUE(read.profile.is_partial);
    EXPECT_EQ(kernels(read), 1);
    EXPECT_EQ(warned(read, "invalid-json"), 1);
}

TEST(KinetoFile, RefusesWhatNestsTooDeepWhateverWasAskedFor) {
    const std::string deep = R"("deep": )" + std::string(600, '[') + std::string(600, ']') + ", ";
    EXPECT_EQ(refusal_of(trace_of(kKernel, deep)).word(), "too-deep");
    EXPECT_EQ(refusal_of(trace_of(kKernel, deep), kPartial).word(), "too-deep");
}

TEST(KinetoFile, GivesTheSameOfEventsThatDoNotFitTheWindow) {
    std::string events = kKernel;
    for (int i = 0; i < 3; ++i) { // each event is longer than a window
        events += R"(,{"ph": "X", "cat": "cuda_runtime", "args": {"text": ")"
                  + std::string(std::size_t{3} << 20, 'x') + R"(", "correlation": 1}, "dur": 1,
                  "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 1})";
    }
    const FileProfile read = read_text(trace_of(events));
    EXPECT_EQ(kernels(read), 1);
    EXPECT_EQ(figure(read, "api.calls"), 3);
}

} // namespace
} // namespace kvprof::import
