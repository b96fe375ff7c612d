#pragma once

#include "capture/activity/graph_registry.h"
#include "capture/activity/launch_counter.h"
#include "capture/activity/scope.h"

#include <atomic>
#include <cstdint>

namespace kvprof::activity {

/// Hears, as neutral events, what CUPTI's callbacks say. Callbacks come on the thread that made the
/// call, several threads at a time; every member is safe for that. Those that are not noexcept keep
/// something and throw when memory is out: what they should have kept is then lost, and the caller
/// counts it, since nothing may leave a callback.
class Observer {
  public:
    /// Outermost and nested calls alike; `correlation` is CUPTI's.
    void api_enter(const ApiId& api, ApiKind kind, std::uint32_t correlation) noexcept;
    void api_exit(const ApiId& api, bool has_failed);

    /// During a capture or a manual build, on the thread that makes it: the node gets the thread's
    /// tag. Inside an instantiation or a clone it only becomes known.
    void node_created(std::uint64_t node, NodeKind kind);
    /// `node` is a copy of `original` and inherits its tag.
    void node_cloned(std::uint64_t node, std::uint64_t original, NodeKind kind);
    void executable_created(std::uint32_t executable);
    /// Its id may come again, for another graph.
    void graph_destroyed(std::uint32_t graph_or_executable);

    /// CUPTI has shut itself down: what follows is not recorded.
    void fatal() noexcept { is_dead_ = true; }

    [[nodiscard]] bool is_dead() const noexcept { return is_dead_; }

    [[nodiscard]] GraphRegistry& graphs() noexcept { return graphs_; }

    [[nodiscard]] LaunchCounter& launches() noexcept { return launches_; }

  private:
    GraphRegistry graphs_;
    LaunchCounter launches_;
    std::atomic<bool> is_dead_ = false;
};

} // namespace kvprof::activity
