#include "tests/activity/graph_play.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace kvprof::activity::test {

namespace {

/// Graphs are captured, cloned, instantiated and destroyed at random; ids of destroyed ones come
/// again. A model follows which tag each node must have.
class Life {
  public:
    explicit Life(std::uint32_t seed)
        : random_(seed) {}

    void act() {
        switch (kvprof::test::below(random_, 5)) {
        case 0:
        case 1: capture(); break;
        case 2: copy(false); break;
        case 3: copy(true); break;
        default: destroy(); break;
        }
    }

    void check() {
        for (const auto& [graph, tags] : tags_of_) {
            EXPECT_EQ(observer_.graphs().nodes_of(graph).size(), tags.size()) << "graph " << graph;
            for (const auto& [index, tag] : tags) {
                EXPECT_EQ(observer_.graphs().tag_of(node_id(graph, index)), tag)
                    << "graph " << graph << " node " << index;
            }
        }
    }

  private:
    std::uint32_t any_graph() {
        auto graph = tags_of_.begin();
        std::advance(graph, kvprof::test::below(random_, std::ssize(tags_of_)));
        return graph->first;
    }

    std::uint32_t new_id() {
        if (!free_ids_.empty() && kvprof::test::below(random_, 2) == 0) {
            const std::uint32_t id = free_ids_.back();
            free_ids_.pop_back();
            return id;
        }
        return next_id_++;
    }

    void capture() {
        const std::uint32_t graph = new_id();
        const std::int64_t nodes = 1 + kvprof::test::below(random_, 8);
        for (std::uint64_t index = 0; index < static_cast<std::uint64_t>(nodes); ++index) {
            const auto op = static_cast<OpKind>(kvprof::test::below(random_, 25));
            const Tag tag = op_tag(op, Placement::in, static_cast<std::int32_t>(index));
            play_.capture(node_id(graph, index), NodeKind::kernel, tag);
            tags_of_[graph][index] = tag;
        }
    }

    void copy(bool is_executable) {
        if (tags_of_.empty()) {
            return;
        }
        const std::uint32_t source = any_graph();
        const std::uint32_t graph = new_id();
        is_executable ? play_.instantiate(graph, source) : play_.clone(graph, source);
        tags_of_[graph] = tags_of_[source];
    }

    void destroy() {
        if (!tags_of_.empty()) {
            const std::uint32_t graph = any_graph();
            observer_.graph_destroyed(graph);
            tags_of_.erase(graph);
            free_ids_.push_back(graph);
        }
    }

    std::mt19937 random_;
    Observer observer_;
    GraphPlay play_{observer_};
    std::map<std::uint32_t, std::map<std::uint64_t, Tag>> tags_of_;
    std::vector<std::uint32_t> free_ids_;
    std::uint32_t next_id_ = 1;
};

TEST(GraphNodesProperty, ANodeHasTheTagOfTheNodeThatItDescendsFrom) {
    for (std::uint32_t seed = 0; seed < 20 && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        Life life(seed);
        for (int action = 0; action < 200; ++action) {
            life.act();
        }
        life.check();
    }
}

} // namespace

} // namespace kvprof::activity::test
