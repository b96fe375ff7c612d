#pragma once

#include "capture/activity/observer.h"
#include "tests/activity/trace_rig.h"

#include <cstdint>

namespace kvprof::activity::test {

/// Plays what CUPTI says while graphs are made, in its order: nodes of a captured launch inside the
/// call; of an instantiation, each node created as an untyped kernel and then cloned.
class GraphPlay {
  public:
    explicit GraphPlay(Observer& observer)
        : observer_(observer) {}

    void capture(std::uint64_t node, NodeKind kind, const Tag& tag) {
        const TagScope scope(tag);
        observer_.api_enter(kLaunch, ApiKind::kernel_launch, 1);
        observer_.api_enter(kDriverLaunch, ApiKind::kernel_launch, 1);
        observer_.node_created(node, kind);
        observer_.api_exit(kDriverLaunch, false);
        observer_.api_exit(kLaunch, false);
    }

    void clone(std::uint32_t graph, std::uint32_t original) {
        copy(graph, original, kClone);
        observer_.api_exit(kClone, false);
    }

    void instantiate(std::uint32_t executable, std::uint32_t source) {
        copy(executable, source, kInstantiate);
        observer_.executable_created(executable);
        observer_.api_exit(kInstantiate, false);
    }

    /// Kinds of nodes by index; CREATED says kernel whatever they are.
    std::map<std::uint64_t, NodeKind> kinds;

  private:
    static constexpr ApiId kLaunch{ApiDomain::runtime, 211};
    static constexpr ApiId kDriverLaunch{ApiDomain::driver, 307};
    static constexpr ApiId kInstantiate{ApiDomain::runtime, 443};
    static constexpr ApiId kClone{ApiDomain::runtime, 306};

    void copy(std::uint32_t to, std::uint32_t from, const ApiId& api) {
        const TagScope tag(op_tag(OpKind::prefill, Placement::out)); // must not reach any node
        observer_.api_enter(api, ApiKind::graph_instantiate, 2);
        for (const std::uint64_t original : observer_.graphs().nodes_of(from)) {
            const auto index = static_cast<std::uint32_t>(original);
            const auto kind = kinds.contains(index) ? kinds[index] : NodeKind::kernel;
            observer_.node_created(node_id(to, index), NodeKind::kernel);
            observer_.node_cloned(node_id(to, index), original, kind);
        }
    }

    Observer& observer_;
};

} // namespace kvprof::activity::test
