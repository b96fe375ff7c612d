#include "capture/import/nsys_strings.h"
#include "capture/model/api_names.h"
#include "tests/import/nsys_export.h"
#include "tests/import/nsys_reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::import {
namespace {

using test::figure;
using test::NsysExport;
using test::read_export;
using test::refusal;
using test::warned;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

struct Version {
    std::string text;
    std::int64_t warnings = 0;
};

class NsysVersion : public testing::TestWithParam<Version> {};

TEST_P(NsysVersion, OutsideOfThoseKnownIsAWarning) {
    NsysExport file(GetParam().text);
    file.kernel({});
    EXPECT_EQ(warned(read_export(file.close()), "schema-version"), GetParam().warnings);
}

INSTANTIATE_TEST_SUITE_P(
    Schema,
    NsysVersion,
    testing::Values(
        Version{"2.9.1", 0},
        Version{"3.0.0", 0},
        Version{"3.25.0", 0},
        Version{"2.8.0", 1},
        Version{"3.26.0", 1},
        Version{"4.0.0", 1},
        Version{"1.99.0", 1},
        Version{"none", 1},
        Version{"", 1}
    )
);

TEST(NsysSchema, WriterNamesReleaseAndSchema) {
    NsysExport file;
    EXPECT_EQ(read_export(file.close()).profile.writer, "Nsight Systems 2026.2.1, schema 3.25.0");
}

TEST(NsysSchema, AVersionThatIsNoneIsNotShown) {
    NsysExport file("3.25.0 <b>");
    EXPECT_EQ(read_export(file.close()).profile.writer, "Nsight Systems 2026.2.1");
}

TEST(NsysSchema, VersionsBefore3AreInAnotherTable) {
    NsysExport file("2.9.1");
    file.run("ALTER TABLE META_DATA_EXPORT RENAME TO EXPORT_META_DATA");
    EXPECT_THAT(read_export(file.close()).profile.writer, HasSubstr("schema 2.9.1"));
}

TEST(NsysSchema, ARequiredColumnThatIsAbsentIsNamedWithTableAndVersion) {
    NsysExport file;
    file.run("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN end");
    EXPECT_THAT(
        refusal(file.close()),
        AllOf(
            StartsWith("missing-column: "),
            HasSubstr("its table CUPTI_ACTIVITY_KIND_KERNEL has no column end"),
            HasSubstr("schema version 3.25.0")
        )
    );
}

TEST(NsysSchema, ColumnsComeByNameAndMayBeAbsent) {
    NsysExport file;
    file.run(R"(
        DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL;
        CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(somethingNew, end INTEGER, start INTEGER);
        INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES('x', 30, 10);
    )");
    const FileProfile read = read_export(file.close());
    EXPECT_EQ(figure(read, "gpu.kernel.sum"), 20);
    EXPECT_EQ(read.kernels.at(0).name, "?");
    EXPECT_EQ(warned(read, "dangling-name"), 1);
}

TEST(NsysSchema, ATableMayHaveTheSuffixOfAVersion) {
    NsysExport file;
    file.kernel({});
    file.run("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL RENAME TO CUPTI_ACTIVITY_KIND_KERNEL_V3");
    file.run("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start, end)"); // empty, as lazy=false has it
    file.run("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL_V2X(start, end)");
    file.run("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL_V2X VALUES(1, 2)"); // no version of it
    EXPECT_EQ(figure(read_export(file.close()), "gpu.kernel.count"), 1);
}

TEST(NsysSchema, WithoutTheTableOfKernelsThereAreNone) {
    NsysExport file;
    file.call({});
    file.run("DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL");
    const FileProfile read = read_export(file.close());
    EXPECT_EQ(figure(read, "api.calls"), 1);
    EXPECT_EQ(warned(read, "no-gpu-activity"), 1);
}

TEST(NsysNames, ACallHasNeitherVersionNorKindOfStream) {
    EXPECT_EQ(canonical_call("cudaLaunchKernel_v7000"), "cudaLaunchKernel");
    EXPECT_EQ(canonical_call("cudaGraphLaunch_ptsz_v10000"), "cudaGraphLaunch");
    EXPECT_EQ(canonical_call("cudaMemcpyAsync_ptds"), "cudaMemcpyAsync");
    EXPECT_EQ(canonical_call("cudaLaunchKernel"), "cudaLaunchKernel");
    EXPECT_EQ(canonical_call("cuMemcpyHtoDAsync_v2"), "cuMemcpyHtoDAsync_v2");
    EXPECT_EQ(canonical_call("cudaStreamGetCaptureInfo_v2_v11030"), "cudaStreamGetCaptureInfo_v2");
    EXPECT_EQ(canonical_call("_v"), "_v");
}

TEST(NsysNames, AreFoundInTablesWithoutAKey) {
    NsysExport file;
    file.kernel({.name = "gemm"});
    file.run("ALTER TABLE StringIds RENAME TO of_before");
    file.run("CREATE TABLE StringIds(id INTEGER, value TEXT)");
    file.run("INSERT INTO StringIds VALUES(77, 'other')");
    file.run("INSERT INTO StringIds SELECT id, value FROM of_before");
    EXPECT_EQ(read_export(file.close()).kernels.at(0).name, "gemm");
}

TEST(NsysNames, AreAlwaysUtf8) {
    NsysExport file;
    file.kernel({.name = "a\\n\xff"});
    const FileProfile read = read_export(file.close());
    EXPECT_EQ(read.kernels.at(0).name, "a\\n\xef\xbf\xbd");
    EXPECT_EQ(warned(read, "invalid-utf8"), 1);
}

TEST(NsysNames, ThatDangleAreCountedByRow) {
    NsysExport file;
    file.kernel({});
    file.call({});
    file.run("DELETE FROM StringIds");
    const FileProfile read = read_export(file.close());
    EXPECT_EQ(warned(read, "dangling-name"), 2);
    EXPECT_EQ(figure(read, "gpu.kernel.count"), 1);
    EXPECT_EQ(figure(read, "api.calls"), 1);
}

} // namespace
} // namespace kvprof::import
