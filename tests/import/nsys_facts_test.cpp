#include "tests/import/nsys_export.h"
#include "tests/import/nsys_reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace kvprof::import {
namespace {

using test::capability;
using test::figure;
using test::NsysExport;
using test::read_export;
using test::warned;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kCapture = "CREATE TABLE META_DATA_CAPTURE(name TEXT, value TEXT)";

TEST(NsysFacts, NothingOfAnEnvironmentIsCopied) {
    const std::string token = "hf_PLANTED";
    NsysExport file;
    file.call({});
    file.kernel({});
    static_cast<void>(file.text("HF_TOKEN=" + token));
    file.run(kCapture);
    file.run(
        "INSERT INTO META_DATA_CAPTURE VALUES('PROCESS_0:ENVIRONMENT_VARIABLE', '" + token
        + "'), ('CUDA_GRAPH_TRACE_OPTIONS:MODE', '" + token + "')"
    );
    file.run("CREATE TABLE TARGET_INFO_SYSTEM_ENV(name TEXT, value TEXT)");
    file.run("INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES('" + token + "', '" + token + "')");
    file.run("CREATE TABLE DIAGNOSTIC_EVENT(text TEXT)");
    file.run("INSERT INTO DIAGNOSTIC_EVENT VALUES('" + token + " events were lost')");
    file.run("UPDATE META_DATA_EXPORT SET value = '" + token + "' WHERE name LIKE '%PRODUCT%'");

    ProfileBuilder builder{ReadOptions{}};
    read_nsys(file.close(), {}, builder);
    for (std::uint32_t id = 0; id < builder.names().size(); ++id) {
        EXPECT_THAT(builder.names().text(id), Not(HasSubstr(token)));
    }
    const FileProfile read = builder.finish("report.sqlite");
    EXPECT_THAT(read.profile.writer, Not(HasSubstr(token)));
    for (const ProfileWarning& warning : read.profile.warnings) {
        EXPECT_THAT(warning.text, Not(HasSubstr(token)));
    }
}

TEST(NsysFacts, WhatTheRecorderLostIsAWarningWithACount) {
    NsysExport file;
    file.kernel({});
    file.run("CREATE TABLE DIAGNOSTIC_EVENT(severity INTEGER, text TEXT)");
    file.run("INSERT INTO DIAGNOSTIC_EVENT VALUES(1, 'Profiling has started.'), (2, '5 events were "
             "DROPPED'), (2, 'records lost'), (2, 'CUDA data is incomplete')");
    EXPECT_EQ(warned(read_export(file.close()), "recorder-losses"), 3);
}

TEST(NsysFacts, AnExportHasNoOperatorsOfAFramework) {
    NsysExport file;
    file.kernel({});
    const FileProfile read = read_export(file.close());
    EXPECT_EQ(capability(read, "cpu-ops"), Capability::absent);
    EXPECT_EQ(figure(read, "cpu_op.count"), std::nullopt);
}

TEST(NsysFacts, KernelsOfGraphsAreCarriedWhereARowNamesItsNode) {
    NsysExport file;
    file.kernel({.node = 8});
    EXPECT_EQ(capability(read_export(file.close()), "graph-kernels"), Capability::carried);
}

TEST(NsysFacts, KernelsOfGraphsAreAbsentWhereTheRecorderWasSetSo) {
    for (const std::string key :
         {"CUDA_GRAPH_TRACE_OPTIONS:MODE", "PROCESS_0:CUDA_GRAPH_TRACE_OPTIONS:MODE"}) {
        NsysExport file;
        file.kernel({});
        file.run(kCapture);
        file.run("INSERT INTO META_DATA_CAPTURE VALUES('" + key + "', 'Graph')");
        EXPECT_EQ(capability(read_export(file.close()), "graph-kernels"), Capability::absent);
    }
}

TEST(NsysFacts, KernelsOfGraphsAreUnknownWhereNothingSays) {
    NsysExport file;
    file.kernel({});
    file.run(kCapture);
    file.run("INSERT INTO META_DATA_CAPTURE VALUES('CUDA_GRAPH_TRACE_OPTIONS:MODE', 'Node')");
    EXPECT_EQ(capability(read_export(file.close()), "graph-kernels"), Capability::unknown);
}

TEST(NsysFacts, MemoryIsCarriedByRowsNotByATable) {
    for (const bool has_row : {false, true}) {
        NsysExport file;
        file.kernel({});
        file.run("CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS(start, bytes)");
        if (has_row) {
            file.run("INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES(1, 4096)");
        }
        EXPECT_EQ(
            capability(read_export(file.close()), "memory"),
            has_row ? Capability::carried : Capability::unknown
        );
    }
}

} // namespace
} // namespace kvprof::import
