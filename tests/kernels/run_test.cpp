#include "kernels/host/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace kvprof {
namespace {

TEST(Run, PicksTheTwinOfTheCallInTheVariant) {
    const std::vector<std::int64_t> first{1};
    const std::vector<std::int64_t> second{2};
    std::vector<std::int64_t> out(2);
    const kernels::KernelCall call =
        kernels::ConcatCall{first.data(), 1, second.data(), 1, out.data()};
    kernels::host::run(call);
    EXPECT_THAT(out, testing::ElementsAre(1, 2));
}

} // namespace
} // namespace kvprof
