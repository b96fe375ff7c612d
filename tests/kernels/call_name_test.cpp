#include "kernels/call_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <utility>

namespace kvprof {
namespace {

template<std::size_t... Index>
std::set<std::string_view> names_of_all(std::index_sequence<Index...> /*kernels*/) {
    return {kernels::name_of(kernels::KernelCall(std::in_place_index<Index>))...};
}

TEST(CallName, TellsEveryKernelApart) {
    constexpr auto kKernels = std::variant_size_v<kernels::KernelCall>;
    EXPECT_EQ(names_of_all(std::make_index_sequence<kKernels>()).size(), kKernels);
}

TEST(CallName, NamesTheOperationOfAMap) {
    kernels::MapCall call;
    call.op = kernels::MapOp::floor_div;
    EXPECT_EQ(kernels::name_of(call), "map_floor_div");
    EXPECT_EQ(kernels::name_of(kernels::PageTableCall()), "page_table");
}

} // namespace
} // namespace kvprof
