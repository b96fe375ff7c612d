#include "capture/model/api_names.h"

#include <gtest/gtest.h>

namespace kvprof {
namespace {

struct Named {
    const char* call;
    ApiKind family;
};

class ApiNames : public testing::TestWithParam<Named> {};

TEST_P(ApiNames, AreToldByName) {
    EXPECT_EQ(classify_api(GetParam().call), GetParam().family) << GetParam().call;
}

INSTANTIATE_TEST_SUITE_P(
    OfLaunches,
    ApiNames,
    testing::Values(
        Named{"cudaLaunchKernel", ApiKind::kernel_launch},
        Named{"cudaLaunchKernelExC_v11060", ApiKind::kernel_launch},
        Named{"cudaLaunchCooperativeKernelMultiDevice", ApiKind::kernel_launch},
        Named{"cuLaunchKernelEx", ApiKind::kernel_launch},
        Named{"hipLaunchKernel", ApiKind::kernel_launch},
        Named{"hipExtLaunchKernel", ApiKind::kernel_launch},
        Named{"hipModuleLaunchKernel", ApiKind::kernel_launch},
        Named{"hipExtModuleLaunchKernel", ApiKind::kernel_launch},
        Named{"cudaLaunchHostFunc", ApiKind::host_function},
        Named{"hipLaunchHostFunc", ApiKind::host_function},
        Named{"cudaGraphLaunch_ptsz_v10000", ApiKind::graph_launch},
        Named{"cuGraphLaunch", ApiKind::graph_launch},
        Named{"hipGraphLaunch", ApiKind::graph_launch}
    )
);

INSTANTIATE_TEST_SUITE_P(
    OfOtherCalls,
    ApiNames,
    testing::Values(
        Named{"cudaMemcpyAsync", ApiKind::memory_copy},
        Named{"hipMemcpyWithStream", ApiKind::memory_copy},
        Named{"cuMemcpyHtoD_v2", ApiKind::memory_copy},
        Named{"cudaMemsetAsync", ApiKind::memory_set},
        Named{"hipDeviceSynchronize", ApiKind::synchronize},
        Named{"cudaStreamWaitEvent", ApiKind::event},
        Named{"cudaGraphInstantiateWithFlags", ApiKind::graph_instantiate},
        Named{"cudaGraphAddMemcpyNode", ApiKind::other},
        Named{"cudaMalloc", ApiKind::allocate},
        Named{"cudaStreamBeginCapture", ApiKind::capture},
        Named{"INVALID", ApiKind::other},
        Named{"LaunchKernel", ApiKind::other},
        Named{"", ApiKind::other}
    )
);

} // namespace
} // namespace kvprof
