#include "tests/activity/graph_play.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof::activity::test {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const Tag kWrite = op_tag(OpKind::write_loc, Placement::in, 0);
const Tag kAppend = op_tag(OpKind::append, Placement::in, 1);
const Tag kAttention = op_tag(OpKind::attention, Placement::in, 2);

/// Graph 1 of a kernel, a copy and a kernel, captured.
struct Captured {
    Observer observer;
    GraphPlay play{observer};

    Captured() {
        play.kinds = {{1, NodeKind::memory_copy}};
        play.capture(node_id(1, 0), NodeKind::kernel, kWrite);
        play.capture(node_id(1, 1), NodeKind::kernel, kAppend); // CREATED knows no type yet
        play.capture(node_id(1, 2), NodeKind::kernel, kAttention);
    }
};

TEST(GraphNodes, ACapturedNodeGetsTheTagOfItsThread) {
    Captured graph;
    EXPECT_EQ(graph.observer.graphs().tag_of(node_id(1, 0)), kWrite);
    EXPECT_EQ(graph.observer.graphs().tag_of(node_id(1, 2)), kAttention);
    EXPECT_EQ(graph.observer.graphs().tag_of(node_id(1, 3)), std::nullopt);
}

TEST(GraphNodes, AnExecutableInheritsTagsAndTakesKindsFromTheClones) {
    Captured graph;
    graph.play.instantiate(2, 1);
    EXPECT_THAT(
        graph.observer.graphs().tags_of_executable(2), ElementsAre(kWrite, kAppend, kAttention)
    );
    EXPECT_THAT(
        graph.observer.graphs().executables(),
        ElementsAre(Executable{.id = 2, .kernels = 2, .memory_copies = 1})
    );
}

// The driver makes nodes of its own while it lowers a graph; they are no copies of tagged ones.
TEST(GraphNodes, ANodeMadeDuringAnInstantiationHasNoTagAndCapturesNothing) {
    constexpr ApiId kInstantiate{ApiDomain::runtime, 443};
    Observer observer;
    const TagScope tag(kWrite);
    observer.api_enter(kInstantiate, ApiKind::graph_instantiate, 1);
    observer.node_created(node_id(2, 0), NodeKind::kernel);
    observer.api_exit(kInstantiate, false);
    EXPECT_EQ(observer.graphs().tag_of(node_id(2, 0)), std::nullopt);
    EXPECT_EQ(observer.graphs().nodes_of(2).size(), 1U);
    EXPECT_FALSE(observer.launches().counts().at(0).is_captured);
}

TEST(GraphNodes, TwoExecutablesOfOneGraphHaveTheSameTags) {
    Captured graph;
    graph.play.instantiate(2, 1);
    graph.play.instantiate(4, 1);
    EXPECT_EQ(
        graph.observer.graphs().tags_of_executable(2), graph.observer.graphs().tags_of_executable(4)
    );
    EXPECT_EQ(graph.observer.graphs().executables().size(), 2U);
}

TEST(GraphNodes, ACloneOfACloneKeepsItsTags) {
    Captured graph;
    graph.play.clone(6, 1);
    graph.play.clone(8, 6);
    graph.play.instantiate(10, 8);
    EXPECT_EQ(graph.observer.graphs().tag_of(node_id(10, 1)), kAppend);
}

TEST(GraphNodes, AManuallyBuiltGraphIsTaggedAsACapturedOne) {
    Observer observer;
    {
        const TagScope tag(kAppend);
        observer.node_created(node_id(3, 0), NodeKind::memory_set); // cudaGraphAddMemsetNode
    }
    EXPECT_EQ(observer.graphs().tag_of(node_id(3, 0)), kAppend);
}

TEST(GraphNodes, ANodeMadeOutsideAnyTagHasNone) {
    Observer observer;
    GraphPlay play(observer);
    play.capture(node_id(1, 0), NodeKind::kernel, {});
    play.instantiate(2, 1);
    EXPECT_EQ(observer.graphs().tag_of(node_id(2, 0)), std::nullopt);
    EXPECT_EQ(observer.graphs().nodes_of(2).size(), 1U);
}

TEST(GraphNodes, ANodeOfAnUnknownOriginalIsKnownWithoutTag) {
    Observer observer;
    observer.node_cloned(node_id(2, 0), node_id(1, 0), NodeKind::kernel);
    EXPECT_EQ(observer.graphs().tag_of(node_id(2, 0)), std::nullopt);
    EXPECT_THAT(observer.graphs().tags_of_executable(2), ElementsAre(Tag{}));
}

TEST(GraphNodes, IndicesThatNoNodeHasAreUntagged) {
    Observer observer;
    GraphPlay play(observer);
    play.capture(node_id(1, 2), NodeKind::kernel, kAttention);
    play.instantiate(2, 1);
    EXPECT_THAT(observer.graphs().tags_of_executable(2), ElementsAre(Tag{}, Tag{}, kAttention));
    EXPECT_EQ(observer.graphs().executables()[0].kernels, 1);
}

TEST(GraphNodes, EmptyAndHostNodesAreOthers) {
    Observer observer;
    GraphPlay play(observer);
    play.kinds = {{0, NodeKind::other}, {1, NodeKind::memory_set}};
    play.capture(node_id(1, 0), NodeKind::other, kWrite);
    play.capture(node_id(1, 1), NodeKind::memory_set, kWrite);
    play.instantiate(2, 1);
    EXPECT_THAT(
        observer.graphs().executables(), ElementsAre(Executable{.id = 2, .memory_sets = 1})
    );
}

TEST(GraphNodes, ADestroyedExecutableStaysKnownForItsLateRecords) {
    Captured graph;
    graph.play.instantiate(2, 1);
    graph.observer.graph_destroyed(2);
    EXPECT_EQ(graph.observer.graphs().tag_of(node_id(2, 0)), kWrite);
    EXPECT_EQ(graph.observer.graphs().executables().size(), 1U);
}

TEST(GraphNodes, ARecycledIdStartsAnew) {
    Captured graph;
    graph.play.instantiate(2, 1);
    graph.observer.graph_destroyed(2);
    graph.play.capture(node_id(5, 0), NodeKind::kernel, kAttention);
    graph.play.instantiate(2, 5);
    EXPECT_THAT(graph.observer.graphs().tags_of_executable(2), ElementsAre(kAttention));
    EXPECT_THAT(
        graph.observer.graphs().executables(), ElementsAre(Executable{.id = 2, .kernels = 1})
    );
}

TEST(GraphNodes, ARecycledIdMayNameACloneOfItsFormerSelf) {
    Captured graph;
    graph.observer.graph_destroyed(1);
    graph.observer.node_cloned(node_id(1, 0), node_id(1, 2), NodeKind::kernel);
    EXPECT_EQ(graph.observer.graphs().tag_of(node_id(1, 0)), kAttention);
    EXPECT_EQ(graph.observer.graphs().nodes_of(1).size(), 1U);
}

TEST(GraphNodes, TheLastIdIsNotCutOff) {
    Observer observer;
    const std::uint64_t node = node_id(UINT32_MAX, UINT32_MAX - 1);
    observer.node_created(node, NodeKind::kernel);
    EXPECT_THAT(observer.graphs().nodes_of(UINT32_MAX), ElementsAre(node));
    EXPECT_THAT(observer.graphs().nodes_of(UINT32_MAX - 1), IsEmpty());
}

/// Records of two replays of each of two executables of one graph: a correlation a replay, node ids
/// of the executable that run again.
TEST(GraphNodes, RecordsOfTwoExecutablesFindTheOpsOfTheirSourceGraph) {
    Captured graph;
    graph.play.instantiate(2, 1);
    graph.play.instantiate(4, 1);
    TraceRig rig;
    rig.how = {.steps = 4};
    const std::uint32_t shapes[] = {
        // NOLINT
        rig.kernel("write"),
        rig.shape({.kind = ActivityKind::memory_copy, .name = "memory copy"}),
        rig.kernel("attention")};
    const GraphRegistry& registry = graph.observer.graphs();
    rig.recording.executables = registry.executables();
    rig.recording.node_tags = {registry.tags_of_executable(2), registry.tags_of_executable(4)};
    for (std::uint32_t step = 0; step < 4; ++step) {
        rig.replay(100 + step, step);
        for (std::uint32_t index = 0; index < 3; ++index) {
            const std::uint64_t start = 1000 * (step + 1) + 10 * index;
            rig.records.push_back(
                {.start = start,
                 .end = start + 1 + index,
                 .node = node_id(step % 2 == 0 ? 2 : 4, index),
                 .correlation = 100 + step,
                 .shape = shapes[index]}
            );
        }
    }
    const Joined joined = rig.join();
    EXPECT_EQ(joined.evidence.failure, "");
    EXPECT_EQ(joined.evidence.by_node, 12);
    ASSERT_EQ(joined.kernels.size(), 3U);
    EXPECT_EQ(joined.kernels[0].op, OpKind::write_loc);
    EXPECT_EQ(joined.kernels[1].op, OpKind::append);
    EXPECT_EQ(joined.kernels[2].op, OpKind::attention);
    EXPECT_EQ(joined.kernels[2].launches, 4);
    EXPECT_EQ(joined.kernels[2].time.count(), 12);
}

} // namespace

} // namespace kvprof::activity::test
