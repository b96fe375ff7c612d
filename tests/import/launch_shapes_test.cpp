#include "tests/import/kineto_rig.h"
#include "tests/import/nsys_export.h"
#include "tests/import/nsys_reading.h"
#include "tests/import/profile_rig.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace kvprof::import {
namespace {

using test::ProfileRig;

constexpr LaunchShape kSmall{.grid = {1, 1, 1}, .block = {128, 1, 1}};
constexpr LaunchShape kLarge{.grid = {132, 2, 1}, .block = {256, 1, 1}};

Dim3 only_grid(const FileProfile& file) {
    EXPECT_EQ(file.kernels.size(), 1U);
    return file.kernels.at(0).grid;
}

/// A kernel with these arguments, which begin with a comma.
std::string with_arguments(const std::string& arguments) {
    return R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 10, "dur": 5, )"
           R"("args": {"correlation": 1)"
           + arguments + "}}";
}

TEST(LaunchShapes, AKernelHasTheOneThatItWasLaunchedWithMostOften) {
    ProfileRig rig;
    rig.kernel({.start = 0, .duration = 9, .shape = kLarge});
    rig.kernel({.start = 10, .duration = 1, .shape = kSmall});
    rig.kernel({.start = 20, .duration = 1, .shape = kSmall});
    const auto kernels = rig.finish().file.kernels;
    ASSERT_EQ(kernels.size(), 1U);
    EXPECT_EQ(kernels[0].launches, 3);
    EXPECT_EQ(kernels[0].grid, (Dim3{1, 1, 1}));
    EXPECT_EQ(kernels[0].block, (Dim3{128, 1, 1}));
    EXPECT_EQ(kernels[0].blocks, 0); // of all launches: not known from one of them
}

TEST(LaunchShapes, OfEquallyCommonOnesTheLeastInEveryOrder) {
    for (const bool is_large_first : {false, true}) {
        ProfileRig rig;
        rig.kernel({.start = 0, .duration = 1, .shape = is_large_first ? kLarge : kSmall});
        rig.kernel({.start = 10, .duration = 1, .shape = is_large_first ? kSmall : kLarge});
        EXPECT_EQ(only_grid(rig.finish().file), (Dim3{1, 1, 1}));
    }
}

TEST(LaunchShapes, GraphNodesOfOneKernelCountTogether) {
    ProfileRig rig({.keep_events = 1});
    rig.kernel({.start = 0, .duration = 1, .node = 1, .shape = kLarge});
    rig.kernel({.start = 10, .duration = 1, .node = 2, .shape = kLarge});
    rig.kernel({.start = 20, .duration = 1, .node = 3, .shape = kSmall});
    EXPECT_EQ(only_grid(rig.finish().file), (Dim3{132, 2, 1}));
}

TEST(LaunchShapes, KinetoSaysThemInLists) {
    const FileProfile file =
        read_text(trace_of(with_arguments(R"(, "grid": [132, 8, 2], "block": [128, 4, 1])")));
    EXPECT_EQ(only_grid(file), (Dim3{132, 8, 2}));
    EXPECT_EQ(file.kernels.at(0).block, (Dim3{128, 4, 1}));
}

TEST(LaunchShapes, AreReadWhereverTheCategoryStands) {
    for (const char* const category : {"kernel", "gpu_memcpy", "cuda_runtime"}) {
        const FileProfile file = read_text(trace_of(
            R"({"args": {"block": [128, 4, 1], "correlation": 1, "grid": [132, 8, 2]}, "cat": ")"
            + std::string(category)
            + R"(", "dur": 5, "name": "k", "ph": "X", "pid": 0, "tid": 7, "ts": 10})"
        ));
        const bool is_kernel = category == std::string_view("kernel");
        const bool is_call = category == std::string_view("cuda_runtime");
        ASSERT_EQ(file.kernels.size(), is_call ? 0U : 1U) << category;
        if (!is_call) {
            EXPECT_EQ(only_grid(file), is_kernel ? (Dim3{132, 8, 2}) : (Dim3{})) << category;
            EXPECT_EQ(file.kernels[0].block, is_kernel ? (Dim3{128, 4, 1}) : (Dim3{})) << category;
        }
    }
}

TEST(LaunchShapes, WhatIsNoSizeIsNoneAndTheKernelCountsAllTheSame) {
    for (const char* grid :
         {R"(, "grid": "132")",
          R"(, "grid": [])",
          R"(, "grid": [-1, {"x": [1]}, 4294967296])",
          R"(, "grid": [null, NaN, 1e3, 7])",
          R"(, "grid": {"x": 1})"}) {
        const FileProfile file = read_text(trace_of(with_arguments(grid)));
        EXPECT_EQ(only_grid(file), (Dim3{0, 0, 0})) << grid;
        EXPECT_EQ(figure(file, "gpu.kernel.sum"), 5000) << grid;
        EXPECT_EQ(figure(file, "quality.rejected"), 0) << grid;
    }
}

TEST(LaunchShapes, NsysSaysThemInColumns) {
    kvprof::test::NsysExport file;
    file.kernel({.name = "k"});
    for (const char* column : {"gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ"}) {
        file.run(
            std::string("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN ") + column
            + " INTEGER DEFAULT 3"
        );
    }
    file.run("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET gridX = 132, gridZ = 'many', blockX = -1");
    const FileProfile read = kvprof::test::read_export(file.close());
    EXPECT_EQ(only_grid(read), (Dim3{132, 3, 0}));
    EXPECT_EQ(read.kernels.at(0).block, (Dim3{0, 3, 3}));
    EXPECT_EQ(kvprof::test::figure(read, "gpu.kernel.count"), 1);
    EXPECT_EQ(kvprof::test::figure(read, "quality.rejected"), 0);
}

} // namespace
} // namespace kvprof::import
