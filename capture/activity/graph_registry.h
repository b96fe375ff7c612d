#pragma once

#include "capture/activity/scope.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace kvprof::activity {

enum class NodeKind : std::uint8_t { kernel, memory_copy, memory_set, other };

/// The nodes of one executable that do work, as instantiated.
struct Executable {
    std::uint32_t id = 0;
    std::int64_t kernels = 0;
    std::int64_t memory_copies = 0;
    std::int64_t memory_sets = 0;

    friend bool operator==(const Executable&, const Executable&) = default;
};

/// Which op every graph node belongs to. A node id is (graph or executable id << 32) | index.
/// Members are safe to call from several threads.
class GraphRegistry {
  public:
    void tag_node(std::uint64_t node, NodeKind kind, const Tag& tag);
    /// A node that is made while a graph is copied. It is one of the graph's only once it is
    /// cloned: the driver makes a further node in an executable that is a copy of nothing and never
    /// runs.
    void add_node(std::uint64_t node, NodeKind kind);
    void clone_node(std::uint64_t node, std::uint64_t original, NodeKind kind);
    void add_executable(std::uint32_t executable);
    /// What is known of the graph or executable stays, for records that are still to come, until
    /// its id is used again.
    void retire(std::uint32_t graph_or_executable);

    /// Absent for an unknown node and for one that was made outside any tag.
    [[nodiscard]] std::optional<Tag> tag_of(std::uint64_t node) const;
    [[nodiscard]] std::vector<Executable> executables() const;
    /// Tags of an executable's nodes by their index; nodes without one have Role::none.
    [[nodiscard]] std::vector<Tag> tags_of_executable(std::uint32_t executable) const;
    /// Ids of the executable's nodes, sorted.
    [[nodiscard]] std::vector<std::uint64_t> nodes_of(std::uint32_t graph_or_executable) const;

  private:
    struct Node {
        NodeKind kind{};
        Tag tag;
        bool is_made_by_copying = false; ///< and not cloned so far
    };

    using Nodes = std::map<std::uint64_t, Node>;

    /// Call with mutex_ held.
    void put(std::uint64_t node, const Node& what);
    void forget_retired(std::uint32_t graph_or_executable);
    [[nodiscard]] std::pair<Nodes::const_iterator, Nodes::const_iterator>
    range_of(std::uint32_t graph_or_executable) const;

    mutable std::mutex mutex_;
    Nodes nodes_;
    std::set<std::uint32_t> executables_;
    std::set<std::uint32_t> retired_;
};

} // namespace kvprof::activity
