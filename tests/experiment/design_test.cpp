#include "capture/experiment/design.h"

#include "capture/model/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::experiment {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template<typename Action>
std::string refusal_of(Action&& action) {
    try {
        action();
    } catch (const UsageError& error) {
        return std::string(error.what()) + " | " + error.hint();
    }
    return "nothing was refused";
}

std::vector<std::string> variants_of(const std::vector<Vary>& varies) {
    std::vector<std::string> variants;
    for (const Cell& cell : cells_of({}, {}, varies)) {
        variants.push_back(cell.variant);
    }
    return variants;
}

TEST(ParseVary, SplitsFieldAndValues) {
    EXPECT_EQ(parse_vary("batch=1,8,64"), (Vary{"batch", {"1", "8", "64"}}));
}

TEST(ParseVary, KeepsEqualsSignsInValues) {
    EXPECT_EQ(parse_vary("preset=a=b"), (Vary{"preset", {"a=b"}}));
}

TEST(ParseVary, RefusesEveryOtherShape) {
    EXPECT_THAT(refusal_of([] { return parse_vary("batch"); }), HasSubstr("no FIELD="));
    EXPECT_THAT(refusal_of([] { return parse_vary("=1"); }), HasSubstr("no FIELD="));
    EXPECT_THAT(refusal_of([] { return parse_vary(""); }), HasSubstr("no FIELD="));
    EXPECT_THAT(refusal_of([] { return parse_vary("batch="); }), HasSubstr("a value is empty"));
    EXPECT_THAT(refusal_of([] { return parse_vary("batch=1,,2"); }), HasSubstr("a value is empty"));
    EXPECT_THAT(refusal_of([] { return parse_vary("batch=1,1"); }), HasSubstr("1 is there twice"));
}

TEST(Cells, AreTheBaseAloneWhenNothingVaries) {
    StepSpec step;
    step.batch = 3;
    EXPECT_THAT(cells_of(step, {}, {}), ElementsAre(Cell{"", step, {}}));
}

TEST(Cells, AreEveryCombinationWithTheLastAxisFastest) {
    EXPECT_THAT(
        variants_of({{"index-mode", {"rectangle", "stream"}}, {"batch", {"1", "8"}}}),
        ElementsAre(
            "index-mode=rectangle batch=1",
            "index-mode=rectangle batch=8",
            "index-mode=stream batch=1",
            "index-mode=stream batch=8"
        )
    );
}

TEST(Cells, SetTheFieldsOfBothSpecifications) {
    const auto cells = cells_of({}, {}, {{"batch", {"8"}}, {"l2", {"flush"}}});
    EXPECT_EQ(cells.at(0).step.batch, 8);
    EXPECT_EQ(cells.at(0).measure.l2, L2Mode::flush);
}

TEST(Cells, RefuseAnUnknownFieldWithTheNearest) {
    EXPECT_THAT(
        refusal_of([] {
            return variants_of({{"index-mod", {"stream"}}});
        }),
        HasSubstr("\"index-mod\": there is no such field | did you mean \"index-mode\"?")
    );
}

TEST(Cells, RefuseAnUnknownValueWithTheNearest) {
    EXPECT_THAT(
        refusal_of([] {
            return variants_of({{"index-mode", {"streem"}}});
        }),
        HasSubstr("did you mean \"stream\"?")
    );
}

TEST(Cells, RefuseAFieldThatVariesTwice) {
    EXPECT_THAT(
        refusal_of([] {
            return variants_of({{"batch", {"1"}}, {"batch", {"2"}}});
        }),
        HasSubstr("varied twice")
    );
}

TEST(Cells, RefuseMoreThanAnybodyWaitsFor) {
    const std::vector<std::string> many(101, "1");
    EXPECT_THAT(
        refusal_of([&] {
            return variants_of({{"batch", many}, {"seed", many}});
        }),
        HasSubstr("over 10000 combinations")
    );
}

TEST(Cells, RefuseTwoSpellingsOfOneValue) {
    EXPECT_THAT(
        refusal_of([&] {
            return variants_of({{"batch", {"1Ki", "1024"}}});
        }),
        HasSubstr("1Ki and 1024 are one value")
    );
    EXPECT_THAT(
        refusal_of([&] {
            return variants_of({{"holes", {"0", "0.5", "-0.0"}}});
        }),
        HasSubstr("0 and -0.0 are one value")
    );
}

TEST(Interleave, GoesForwardThenBackward) {
    EXPECT_THAT(
        interleave(3, 2),
        ElementsAre(Slot{0, 0}, Slot{1, 0}, Slot{2, 0}, Slot{2, 1}, Slot{1, 1}, Slot{0, 1})
    );
}

TEST(Interleave, GivesEveryCellTheSameMeanPositionOverTwoRepeats) {
    const auto order = interleave(4, 2);
    std::vector<std::size_t> sum(4);
    for (std::size_t i = 0; i < order.size(); ++i) {
        sum[order[i].cell] += i;
    }
    EXPECT_THAT(sum, ElementsAre(7, 7, 7, 7));
}

} // namespace

TEST(Decide, GivesEachCellWhatItsStageDecidesAndLeavesWhatIsGiven) {
    auto cells =
        cells_of({}, {}, {{"stage", {"before", "after-37512"}}, {"write", {"auto", "fused"}}});
    kvprof::experiment::decide(cells);
    ASSERT_EQ(cells.size(), 4U);
    EXPECT_EQ(cells[0].step.index_mode, kvprof::IndexMode::rectangle);
    EXPECT_EQ(cells[0].step.write, kvprof::LaunchForm::eager);
    EXPECT_EQ(cells[1].step.write, kvprof::LaunchForm::fused);
    EXPECT_EQ(cells[2].step.index_mode, kvprof::IndexMode::stream);
    EXPECT_EQ(cells[2].step.grid, kvprof::Grid::bs);
    EXPECT_EQ(cells[0].variant, "stage=before write=auto");
}

TEST(Decide, LeavesACellWhoseBackendIsNotThere) {
    auto cells = cells_of({}, {}, {{"attention-backend", {"nobody"}}});
    const auto before = cells;
    kvprof::experiment::decide(cells);
    EXPECT_EQ(cells, before);
}

} // namespace kvprof::experiment
