#include "capture/passes.h"

#include "capture/model/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace kvprof;
using testing::ElementsAre;
using testing::HasSubstr;

MeasureSpec spec_of(ExecutorKind executor, std::string passes) {
    MeasureSpec how;
    how.executor = executor;
    how.passes = std::move(passes);
    return how;
}

TEST(Passes, AutoTakesAllInTheFirstRepeatAndTimingInTheOthers) {
    const MeasureSpec how = spec_of(ExecutorKind::cuda, "auto");
    EXPECT_THAT(
        passes_of(how, 0),
        ElementsAre(Pass::timing, Pass::counts, Pass::graph, Pass::nodes, Pass::memory)
    );
    EXPECT_THAT(passes_of(how, 1), ElementsAre(Pass::timing));
}

TEST(Passes, AllTakesEveryPassInEveryRepeat) {
    EXPECT_EQ(passes_of(spec_of(ExecutorKind::cuda, "all"), 3).size(), 5U);
}

TEST(Passes, TimingComesFirstWhateverIsNamed) {
    EXPECT_THAT(
        passes_of(spec_of(ExecutorKind::cuda, "nodes+counts+nodes"), 2),
        ElementsAre(Pass::timing, Pass::counts, Pass::nodes)
    );
}

TEST(Passes, TheHostHasNoDriverToCountCallsOf) {
    EXPECT_THAT(
        passes_of(spec_of(ExecutorKind::host, "auto"), 0), ElementsAre(Pass::timing, Pass::nodes)
    );
    EXPECT_THAT(
        [] { static_cast<void>(passes_of(spec_of(ExecutorKind::host, "counts"), 0)); },
        testing::ThrowsMessage<UsageError>(HasSubstr("the host executor has no counts pass"))
    );
}

TEST(Passes, AreStoredInOneFormHoweverTheyWereNamed) {
    EXPECT_EQ(canonical_passes(spec_of(ExecutorKind::cuda, "nodes+timing+nodes")), "timing+nodes");
    EXPECT_EQ(canonical_passes(spec_of(ExecutorKind::cuda, "nodes")), "timing+nodes");
    EXPECT_EQ(canonical_passes(spec_of(ExecutorKind::cuda, "auto")), "auto");
    EXPECT_EQ(canonical_passes(spec_of(ExecutorKind::cuda, "all")), "all");
}

TEST(Passes, AllAndAutoStandAlone) {
    EXPECT_THAT(
        [] { static_cast<void>(passes_of(spec_of(ExecutorKind::cuda, "all+timing"), 0)); },
        testing::ThrowsMessage<UsageError>(HasSubstr("all stands alone"))
    );
}

TEST(Passes, AreJoinedByAPlusAndNoComma) {
    try {
        static_cast<void>(passes_of(spec_of(ExecutorKind::cuda, "timing,nodes"), 0));
        FAIL() << "no error";
    } catch (const UsageError& error) {
        EXPECT_THAT(error.hint(), HasSubstr("timing+nodes"));
    }
}

TEST(Passes, AWordThatIsNoPassIsRefusedWithTheNearestOne) {
    EXPECT_THROW(static_cast<void>(passes_of(spec_of(ExecutorKind::cuda, "node"), 0)), UsageError);
    EXPECT_THROW(static_cast<void>(passes_of(spec_of(ExecutorKind::cuda, ""), 0)), UsageError);
    EXPECT_THROW(
        static_cast<void>(passes_of(spec_of(ExecutorKind::cuda, "nodes+"), 0)), UsageError
    );
}

} // namespace
