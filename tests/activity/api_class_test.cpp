#include "capture/activity/api_class.h"

#include "capture/model/api_names.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace kvprof::activity {

namespace {

using Named = std::pair<const char*, ApiKind>;

void expect_kinds(const std::vector<Named>& names) {
    for (const auto& [name, kind] : names) {
        EXPECT_EQ(classify_api(name), kind) << name;
    }
}

TEST(ApiClass, KnowsEveryFunctionThatLaunchesKernels) {
    for (const char* name :
         {"cudaLaunch_v3020",
          "cudaLaunch_ptsz_v7000",
          "cudaLaunchKernel_v7000",
          "cudaLaunchKernel_ptsz_v7000",
          "cudaLaunchCooperativeKernel_v9000",
          "cudaLaunchCooperativeKernel_ptsz_v9000",
          "cudaLaunchCooperativeKernelMultiDevice_v9000",
          "cudaLaunchKernelExC_v11060",
          "cudaLaunchKernelExC_ptsz_v11060",
          "__cudaLaunchKernel_v13000",
          "__cudaLaunchKernel_ptsz_v13000",
          "cuLaunch",
          "cuLaunchGrid",
          "cuLaunchGridAsync",
          "cuLaunchKernel",
          "cuLaunchKernel_ptsz",
          "cuLaunchKernelEx",
          "cuLaunchKernelEx_ptsz",
          "cuLaunchCooperativeKernel",
          "cuLaunchCooperativeKernel_ptsz",
          "cuLaunchCooperativeKernelMultiDevice"}) {
        EXPECT_EQ(classify_api(name), ApiKind::kernel_launch) << name;
    }
}

TEST(ApiClass, TellsHostFunctionsFromKernels) {
    expect_kinds(
        {{"cudaLaunchHostFunc_v10000", ApiKind::host_function},
         {"cudaLaunchHostFunc_ptsz_v10000", ApiKind::host_function},
         {"cuLaunchHostFunc", ApiKind::host_function},
         {"cuLaunchHostFunc_ptsz", ApiKind::host_function},
         {"cudaStreamAddCallback_v5000", ApiKind::host_function}}
    );
}

TEST(ApiClass, KnowsTheLifeOfAGraph) {
    expect_kinds(
        {{"cudaGraphLaunch_v10000", ApiKind::graph_launch},
         {"cudaGraphLaunch_ptsz_v10000", ApiKind::graph_launch},
         {"cuGraphLaunch", ApiKind::graph_launch},
         {"cuGraphLaunch_ptsz", ApiKind::graph_launch},
         {"cudaGraphUpload_v10000", ApiKind::graph_upload},
         {"cudaGraphUpload_ptsz_v10000", ApiKind::graph_upload},
         {"cuGraphUpload", ApiKind::graph_upload},
         {"cuGraphUpload_ptsz", ApiKind::graph_upload},
         {"cudaGraphInstantiate_v10000", ApiKind::graph_instantiate},
         {"cudaGraphInstantiate_v12000", ApiKind::graph_instantiate},
         {"cudaGraphInstantiateWithFlags_v11040", ApiKind::graph_instantiate},
         {"cudaGraphInstantiateWithParams_ptsz_v11080", ApiKind::graph_instantiate},
         {"cuGraphInstantiate_v2", ApiKind::graph_instantiate},
         {"cuGraphInstantiateWithFlags", ApiKind::graph_instantiate},
         {"cuGraphInstantiateWithParams_ptsz", ApiKind::graph_instantiate},
         {"cudaStreamBeginCapture_v10000", ApiKind::capture},
         {"cudaStreamBeginCaptureToGraph_ptsz_v12030", ApiKind::capture},
         {"cuStreamBeginCapture_v2_ptsz", ApiKind::capture},
         {"cudaStreamEndCapture_v10000", ApiKind::capture}}
    );
}

// A node made while one of these is open is a copy, which gets its tag from the original.
TEST(ApiClass, CountsAllThatCopiesNodesAsInstantiation) {
    expect_kinds(
        {{"cudaGraphClone_v10000", ApiKind::graph_instantiate},
         {"cuGraphClone", ApiKind::graph_instantiate},
         {"cudaGraphExecUpdate_v10020", ApiKind::graph_instantiate},
         {"cuGraphExecUpdate_v2", ApiKind::graph_instantiate},
         {"cudaGraphAddChildGraphNode_v10000", ApiKind::graph_instantiate},
         {"cuGraphAddChildGraphNode", ApiKind::graph_instantiate}}
    );
}

TEST(ApiClass, TellsCopiesAndFillsFromTheirNodes) {
    expect_kinds(
        {{"cudaMemcpyAsync_v3020", ApiKind::memory_copy},
         {"cudaMemcpy2DToArrayAsync_ptsz_v7000", ApiKind::memory_copy},
         {"cudaMemcpyBatchAsync_v12080", ApiKind::memory_copy},
         {"cudaMemcpy3DBatchAsync_v12080", ApiKind::memory_copy},
         {"cuMemcpyHtoDAsync_v2", ApiKind::memory_copy},
         {"cu64MemcpyDtoD", ApiKind::memory_copy},
         {"cuMemcpyBatchAsync_ptsz", ApiKind::memory_copy},
         {"cudaMemsetAsync_v3020", ApiKind::memory_set},
         {"cuMemsetD2D32Async_ptsz", ApiKind::memory_set},
         {"cudaGraphAddMemcpyNode_v10000", ApiKind::other},
         {"cudaGraphAddMemsetNode_v10000", ApiKind::other},
         {"cuGraphExecMemcpyNodeSetParams", ApiKind::other},
         {"cudaGraphMemsetNodeGetParams_v10000", ApiKind::other}}
    );
}

TEST(ApiClass, KnowsWaitsEventsAndAllocations) {
    expect_kinds(
        {{"cudaStreamSynchronize_v3020", ApiKind::synchronize},
         {"cudaDeviceSynchronize_v3020", ApiKind::synchronize},
         {"cudaEventSynchronize_v3020", ApiKind::synchronize},
         {"cuCtxSynchronize", ApiKind::synchronize},
         {"cudaEventRecord_v3020", ApiKind::event},
         {"cudaEventRecordWithFlags_ptsz_v11010", ApiKind::event},
         {"cudaStreamWaitEvent_v3020", ApiKind::event},
         {"cuStreamWaitEvent_ptsz", ApiKind::event},
         {"cudaMalloc_v3020", ApiKind::allocate},
         {"cudaMallocAsync_ptsz_v11020", ApiKind::allocate},
         {"cudaFreeHost_v3020", ApiKind::allocate},
         {"cudaHostAlloc_v3020", ApiKind::allocate},
         {"cuMemAlloc_v2", ApiKind::allocate},
         {"cuMemFreeAsync", ApiKind::allocate},
         {"cudaGraphAddMemAllocNode_v11040", ApiKind::other},
         {"cudaGetDevice_v3020", ApiKind::other},
         {"cudaMemGetInfo_v3020", ApiKind::other},
         {"cudaEventCreate_v3020", ApiKind::other},
         {"cuGraphicsMapResources", ApiKind::other},
         {"", ApiKind::other}}
    );
}

TEST(ApiClass, OtherFunctionsAreNotCounted) {
    EXPECT_FALSE(is_counted(ApiKind::other));
    EXPECT_TRUE(is_counted(ApiKind::event));
}

TEST(FunctionName, DropsVersionsAndStreamSuffixesOnly) {
    EXPECT_EQ(function_name("cudaLaunchKernel_v7000"), "cudaLaunchKernel");
    EXPECT_EQ(function_name("cudaLaunchKernel_ptsz_v7000"), "cudaLaunchKernel");
    EXPECT_EQ(function_name("cuMemcpyHtoD_v2_ptds"), "cuMemcpyHtoD");
    EXPECT_EQ(function_name("__cudaLaunchKernel_ptsz_v13000"), "__cudaLaunchKernel");
    EXPECT_EQ(function_name("cuMemcpy2D"), "cuMemcpy2D");
    EXPECT_EQ(function_name("cu_v"), "cu_v");
    EXPECT_EQ(function_name("cu_v2x"), "cu_v2x");
}

} // namespace

} // namespace kvprof::activity
