#include "analyzers/kernel_pairing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace kvprof::analyzers {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Kernels = std::vector<PairableKernel>;

/// A kernel of so many blocks of 128 threads that runs `launches` times a step.
PairableKernel kernel(std::string_view name, std::int64_t blocks = 1, double launches = 1.0) {
    PairableKernel one;
    one.name = name;
    one.grid = {blocks, 1, 1};
    one.block = {128, 1, 1};
    one.launches = launches;
    return one;
}

/// Each runs after the one before it.
Kernels in_turn(Kernels kernels) {
    for (std::size_t i = 1; i < kernels.size(); ++i) {
        kernels[i].before = i - 1;
        kernels[i - 1].after = i;
    }
    return kernels;
}

/// "a -> b (renamed)", in the order of the base.
std::vector<std::string>
pairs(const Kernels& base, const Kernels& candidate, bool is_of_one_program = true) {
    std::vector<std::string> words;
    for (const KernelPair& pair : pair_kernels(base, candidate, is_of_one_program)) {
        words.push_back(
            std::string(base[pair.base].name) + " -> " + std::string(candidate[pair.candidate].name)
            + " (" + std::string(to_string(pair.match)) + ")"
        );
    }
    return words;
}

TEST(KernelPairing, FullNamesComeFirst) {
    EXPECT_THAT(
        pairs({kernel("a"), kernel("b", 2)}, {kernel("b", 9), kernel("a")}),
        ElementsAre("a -> a (name)", "b -> b (name)")
    );
}

TEST(KernelPairing, ProgramsSpellNamesDifferently) {
    const Kernels kineto{kernel("void f<128, true>(int)")};
    const Kernels nsys{kernel("void f<(int)128, (bool)1>(int)", 7)};
    EXPECT_THAT(
        pairs(kineto, nsys, false),
        ElementsAre("void f<128, true>(int) -> void f<(int)128, (bool)1>(int) (spelling)")
    );
    EXPECT_THAT(pairs(kineto, nsys, true), IsEmpty()); // of one program they are two kernels
}

TEST(KernelPairing, ABaseNameCountsWhereItIsAloneOnBothSides) {
    EXPECT_THAT(
        pairs({kernel("void f<1>(int)")}, {kernel("f", 7)}, false),
        ElementsAre("void f<1>(int) -> f (base-name)")
    );
    EXPECT_THAT(pairs({kernel("f<1>"), kernel("f<2>")}, {kernel("f", 7)}, false), IsEmpty());
    // Also where the other one has found its partner.
    EXPECT_THAT(
        pairs({kernel("f<1>"), kernel("f<2>")}, {kernel("f<1>"), kernel("f<3>", 7)}, false),
        ElementsAre("f<1> -> f<1> (name)")
    );
}

TEST(KernelPairing, CopiesAreNotOneNameInTwoSpellings) {
    EXPECT_THAT(pairs({kernel("(fill)", 0)}, {kernel("(copy)", 0)}, false), IsEmpty());
}

TEST(KernelPairing, ACounterInANameIsARenaming) {
    EXPECT_THAT(
        pairs(
            in_turn({kernel("mm"), kernel("fused_add_3"), kernel("norm")}),
            in_turn({kernel("mm"), kernel("fused_add_4"), kernel("norm")})
        ),
        ElementsAre(
            "mm -> mm (name)", "fused_add_3 -> fused_add_4 (renamed)", "norm -> norm (name)"
        )
    );
}

TEST(KernelPairing, ARenamedKernelIsANeighbourThatOthersAreKnownBy) {
    EXPECT_THAT(
        pairs(
            in_turn({kernel("mm"), kernel("a1", 2), kernel("a2", 3), kernel("a3", 4)}),
            in_turn({kernel("mm"), kernel("b1", 2), kernel("b2", 3), kernel("b3", 4)})
        ),
        ElementsAre("mm -> mm (name)")
    ) << "each has a neighbour that nothing is known of";
    Kernels base = in_turn({kernel("mm"), kernel("a1", 2), kernel("a2", 3)});
    Kernels candidate = in_turn({kernel("mm"), kernel("b1", 2), kernel("b2", 3)});
    base[1].after = 1; // a1 runs most often after itself
    candidate[1].after = 1;
    EXPECT_THAT(
        pairs(base, candidate),
        ElementsAre("mm -> mm (name)", "a1 -> b1 (renamed)", "a2 -> b2 (renamed)")
    );
}

TEST(KernelPairing, AnythingElseThatDiffersIsNoRenaming) {
    const Kernels base = in_turn({kernel("mm"), kernel("a"), kernel("norm")});
    const auto with = [](PairableKernel other) {
        return in_turn({kernel("mm"), other, kernel("norm")});
    };
    EXPECT_EQ(pairs(base, with(kernel("b"))).size(), 3U);
    EXPECT_EQ(pairs(base, with(kernel("b", 2))).size(), 2U);      // blocks
    EXPECT_EQ(pairs(base, with(kernel("b", 1, 2.0))).size(), 2U); // launches a step
    Kernels wider = with(kernel("b"));
    wider[1].block = {256, 1, 1};
    EXPECT_EQ(pairs(base, wider).size(), 2U);
    Kernels last = with(kernel("b"));
    last[1].after.reset();
    EXPECT_EQ(pairs(base, last).size(), 2U);
    Kernels swapped = with(kernel("b"));
    std::swap(swapped[1].before, swapped[1].after);
    EXPECT_EQ(pairs(base, swapped).size(), 2U);
}

TEST(KernelPairing, WithoutShapesOrNeighboursNothingIsRenamed) {
    const auto unknown = [](std::string_view name) { return kernel(name, 0); };
    Kernels base = in_turn({kernel("mm"), unknown("a")});
    Kernels candidate = in_turn({kernel("mm"), unknown("b")});
    base[1].grid = candidate[1].grid = {};
    EXPECT_THAT(pairs(base, candidate), ElementsAre("mm -> mm (name)"));
    EXPECT_THAT(pairs({kernel("a")}, {kernel("b")}), IsEmpty());
    Kernels alone{kernel("a")};
    Kernels other{kernel("b")};
    alone[0].before = alone[0].after = 0; // by itself nothing is known
    other[0].before = other[0].after = 0;
    EXPECT_THAT(pairs(alone, other), IsEmpty());
}

TEST(KernelPairing, OneThatFitsTwoFitsNone) {
    Kernels base = in_turn({kernel("mm"), kernel("a"), kernel("norm")});
    Kernels candidate = in_turn({kernel("mm"), kernel("b"), kernel("norm")});
    candidate.push_back(candidate[1]);
    candidate.back().name = "c";
    EXPECT_EQ(pairs(base, candidate).size(), 2U);
    EXPECT_EQ(pairs(candidate, base).size(), 2U);
}

/// `count` kernels of one launch shape that run one after the other, the first of which is "mm".
Kernels chain(std::vector<std::string>& names, const std::string& prefix, std::size_t count) {
    Kernels kernels;
    names.clear();
    for (std::size_t i = 0; i < count; ++i) {
        names.push_back(i == 0 ? "mm" : prefix + std::to_string(i));
    }
    for (const std::string& name : names) {
        kernels.push_back(kernel(name));
    }
    return in_turn(kernels);
}

TEST(KernelPairing, AChainOfTenThousandNamesIsPairedOneByOne) {
    constexpr std::size_t kMany = 10'000;
    std::vector<std::string> old_names;
    std::vector<std::string> new_names;
    Kernels base = chain(old_names, "a", kMany);
    Kernels candidate = chain(new_names, "b", kMany);
    for (Kernels* kernels : {&base, &candidate}) {
        for (std::size_t i = 1; i < kMany; ++i) {
            (*kernels)[i].after = i; // most often after itself: known by the one before
        }
    }
    const std::vector<KernelPair> found = pair_kernels(base, candidate, true);
    ASSERT_EQ(found.size(), kMany);
    for (std::size_t i = 0; i < kMany; ++i) {
        EXPECT_EQ(found[i].candidate, i);
    }
}

TEST(KernelPairing, ManyThatFitOneAnotherAreNotTried) {
    constexpr std::size_t kMany = 10'000;
    std::vector<std::string> old_names;
    std::vector<std::string> new_names;
    Kernels base = chain(old_names, "a", kMany);
    Kernels candidate = chain(new_names, "b", kMany);
    for (Kernels* kernels : {&base, &candidate}) {
        for (std::size_t i = 1; i < kMany; ++i) {
            (*kernels)[i].before = 0; // all beside the one that has a pair
            (*kernels)[i].after.reset();
        }
    }
    EXPECT_EQ(pair_kernels(base, candidate, true).size(), 1U);
}

} // namespace
} // namespace kvprof::analyzers
