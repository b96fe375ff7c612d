// The classification by name against every name of the real CUPTI.
#include "capture/cuda/cupti_api.h"
#include "capture/model/api_names.h"
#include "capture/model/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::cuda {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

class CuptiNames : public ::testing::Test {
  protected:
    void SetUp() override {
        try {
            api_ = load_cupti();
        } catch (const UnavailableError& error) {
            GTEST_SKIP() << error.what();
        }
        read(CUPTI_CB_DOMAIN_RUNTIME_API);
        read(CUPTI_CB_DOMAIN_DRIVER_API);
    }

    void read(CUpti_CallbackDomain domain) {
        const char* name = nullptr;
        for (std::uint32_t id = 1; api_.get_callback_name(domain, id, &name) == CUPTI_SUCCESS;
             ++id) {
            names_.emplace_back(name);
        }
    }

    CuptiApi api_;
    std::vector<std::string> names_;
};

TEST_F(CuptiNames, AreNumberedWithoutHoles) {
    EXPECT_GE(names_.size(), 1'300U);
    for (const auto domain : {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_DRIVER_API}) {
        std::optional<std::uint32_t> first_hole;
        const char* name = nullptr;
        for (std::uint32_t id = 1; id < 4'096; ++id) {
            if (api_.get_callback_name(domain, id, &name) != CUPTI_SUCCESS) {
                first_hole = first_hole.value_or(id);
            } else {
                EXPECT_FALSE(first_hole.has_value()) << id;
            }
        }
    }
}

/// Every function whose name says that it launches, with the family that it was given on purpose.
/// A newer CUPTI with another one fails here, and somebody decides.
TEST_F(CuptiNames, ThatLaunchAreClassifiedDeliberately) {
    const std::map<std::string, ApiKind> deliberate{
        {"__cudaLaunchKernel", ApiKind::kernel_launch},
        {"cudaLaunch", ApiKind::kernel_launch},
        {"cudaLaunchKernel", ApiKind::kernel_launch},
        {"cudaLaunchCooperativeKernel", ApiKind::kernel_launch},
        {"cudaLaunchCooperativeKernelMultiDevice", ApiKind::kernel_launch},
        {"cudaLaunchKernelExC", ApiKind::kernel_launch},
        {"cudaLaunchHostFunc", ApiKind::host_function},
        {"cudaGraphLaunch", ApiKind::graph_launch},
        {"cuLaunch", ApiKind::kernel_launch},
        {"cuLaunchGrid", ApiKind::kernel_launch},
        {"cuLaunchGridAsync", ApiKind::kernel_launch},
        {"cuLaunchKernel", ApiKind::kernel_launch},
        {"cuLaunchKernelEx", ApiKind::kernel_launch},
        {"cuLaunchCooperativeKernel", ApiKind::kernel_launch},
        {"cuLaunchCooperativeKernelMultiDevice", ApiKind::kernel_launch},
        {"cuLaunchHostFunc", ApiKind::host_function},
        {"cuGraphLaunch", ApiKind::graph_launch}};
    for (const std::string& name : names_) {
        if (name.find("Launch") == std::string::npos) {
            continue;
        }
        const auto found = deliberate.find(std::string(function_name(name)));
        ASSERT_NE(found, deliberate.end()) << name;
        EXPECT_EQ(classify_api(name), found->second) << name;
    }
}

TEST_F(CuptiNames, OfCopiesAndFillsAreTakenForThem) {
    std::vector<std::string> wrong;
    for (const std::string& name : names_) {
        const bool is_about_nodes = name.find("Graph") != std::string::npos;
        const auto has = [&name](const char* part) { return name.find(part) != std::string::npos; };
        const ApiKind kind = classify_api(name);
        if (!is_about_nodes && has("Memcpy") && kind != ApiKind::memory_copy) {
            wrong.push_back(name);
        }
        if (!is_about_nodes && has("Memset") && kind != ApiKind::memory_set) {
            wrong.push_back(name);
        }
        if (is_about_nodes && (kind == ApiKind::memory_copy || kind == ApiKind::memory_set)) {
            wrong.push_back(name);
        }
    }
    EXPECT_THAT(wrong, IsEmpty());
}

TEST_F(CuptiNames, OfGraphsThatAreCopiedAreAllTakenForIt) {
    std::vector<std::string> copying;
    for (const std::string& name : names_) {
        if (classify_api(name) == ApiKind::graph_instantiate) {
            copying.emplace_back(function_name(name));
        }
    }
    for (const char* expected :
         {"cudaGraphInstantiate",
          "cudaGraphInstantiateWithFlags",
          "cudaGraphInstantiateWithParams",
          "cudaGraphClone",
          "cuGraphInstantiate",
          "cuGraphInstantiateWithFlags",
          "cuGraphInstantiateWithParams",
          "cuGraphClone"}) {
        EXPECT_THAT(copying, Contains(expected));
    }
}

} // namespace
} // namespace kvprof::cuda
