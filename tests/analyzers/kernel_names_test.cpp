#include "analyzers/kernel_names.h"

#include <gtest/gtest.h>

namespace kvprof::analyzers {
namespace {

TEST(KernelNames, CastsAndSuffixesOfNumbersFall) {
    EXPECT_EQ(
        normalised_kernel_name("void f<(int)128, (bool)1, (unsigned long)2, (int)-2>(int, T2)"),
        "f<128,true,2,-2>"
    );
    EXPECT_EQ(normalised_kernel_name("void f<128, true, 2ul, -2>(int, float)"), "f<128,true,2,-2>");
}

TEST(KernelNames, LambdasHaveOneSpelling) {
    const char* kineto = "void f<4, at::g(at::It&)::{lambda()#3}::operator()() const::"
                         "{lambda(c10::Half, int)#12}, std::array<char*, 2ul> >(int)";
    const char* nsys = "void f<(int)4, at::g(at::It &)::[lambda() (instance 3)]::operator ()() "
                       "const::[lambda(c10::Half, int) (instance 12)], std::array<char *, "
                       "(unsigned long)2>>(int)";
    EXPECT_EQ(normalised_kernel_name(kineto), normalised_kernel_name(nsys));
    EXPECT_EQ(
        normalised_kernel_name(nsys),
        "f<4,at::g::{lambda()#3}::operatorconst::{lambda(c10::Half,int)#12},std::array<char*,2>>"
    );
    EXPECT_NE(
        normalised_kernel_name("f<g()::{lambda(float)#1}>"),
        normalised_kernel_name("f<g()::{lambda(double)#1}>")
    );
}

TEST(KernelNames, UnnamedNamespacesFall) {
    EXPECT_EQ(
        normalised_kernel_name("void at::(anonymous namespace)::f<float>(int)"), "at::f<float>"
    );
    EXPECT_EQ(normalised_kernel_name("void at::<unnamed>::f<float>(int)"), "at::f<float>");
    EXPECT_EQ(normalised_kernel_name("f<void at::<unnamed>::g>(T1)"), "f<at::g>");
}

TEST(KernelNames, DigitsInsideWordsStay) {
    EXPECT_EQ(normalised_kernel_name("sm90_gemm_64x64ul"), "sm90_gemm_64x64ul");
    EXPECT_EQ(normalised_kernel_name("triton_poi_fused_add_3"), "triton_poi_fused_add_3");
    EXPECT_EQ(normalised_kernel_name("f<avoid >"), "f<avoid>");
}

TEST(KernelNames, BrokenNamesEndWhereTheyEnd) {
    for (const char* name :
         {"", "(", "f<(int", "[lambda(", "{lambda()", "f<[lambda() (instance 1"}) {
        static_cast<void>(normalised_kernel_name(name));
        static_cast<void>(base_kernel_name(name));
    }
    EXPECT_EQ(normalised_kernel_name("f(int"), "f");
}

TEST(KernelNames, TheBaseNameHasNoScopesAndNoArguments) {
    EXPECT_EQ(base_kernel_name("void at::native::f<(int)4, a::b>(int)"), "f");
    EXPECT_EQ(base_kernel_name("void at::(anonymous namespace)::f(a::b)"), "f");
    EXPECT_EQ(base_kernel_name("triton_red_0"), "triton_red_0");
    EXPECT_EQ(base_kernel_name("(copy host-to-device)"), "");
}

} // namespace
} // namespace kvprof::analyzers
