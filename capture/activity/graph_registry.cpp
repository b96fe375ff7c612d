#include "capture/activity/graph_registry.h"

namespace kvprof::activity {

namespace {

std::uint32_t graph_of(std::uint64_t node) {
    return static_cast<std::uint32_t>(node >> 32U);
}

std::uint64_t first_node_of(std::uint64_t graph) {
    return graph << 32U;
}

} // namespace

void GraphRegistry::forget_retired(std::uint32_t graph_or_executable) {
    if (retired_.erase(graph_or_executable) > 0) {
        const auto [begin, end] = range_of(graph_or_executable);
        nodes_.erase(begin, end);
        executables_.erase(graph_or_executable);
    }
}

void GraphRegistry::put(std::uint64_t node, const Node& what) {
    forget_retired(graph_of(node));
    nodes_.insert_or_assign(node, what);
}

std::pair<GraphRegistry::Nodes::const_iterator, GraphRegistry::Nodes::const_iterator>
GraphRegistry::range_of(std::uint32_t graph_or_executable) const {
    const std::uint64_t next = std::uint64_t{graph_or_executable} + 1;
    return {
        nodes_.lower_bound(first_node_of(graph_or_executable)),
        next > UINT32_MAX ? nodes_.end() : nodes_.lower_bound(first_node_of(next))};
}

void GraphRegistry::tag_node(std::uint64_t node, NodeKind kind, const Tag& tag) {
    const std::lock_guard lock(mutex_);
    put(node, {kind, tag});
}

void GraphRegistry::add_node(std::uint64_t node, NodeKind kind) {
    const std::lock_guard lock(mutex_);
    put(node, {kind, {}, true});
}

void GraphRegistry::clone_node(std::uint64_t node, std::uint64_t original, NodeKind kind) {
    const std::lock_guard lock(mutex_);
    const auto found = nodes_.find(original);
    // Copied before put() may forget the original.
    const Tag tag = found == nodes_.end() ? Tag{} : found->second.tag;
    put(node, {kind, tag});
}

void GraphRegistry::add_executable(std::uint32_t executable) {
    const std::lock_guard lock(mutex_);
    forget_retired(executable);
    executables_.insert(executable);
}

void GraphRegistry::retire(std::uint32_t graph_or_executable) {
    const std::lock_guard lock(mutex_);
    retired_.insert(graph_or_executable);
}

std::optional<Tag> GraphRegistry::tag_of(std::uint64_t node) const {
    const std::lock_guard lock(mutex_);
    const auto found = nodes_.find(node);
    if (found == nodes_.end() || found->second.tag.role == Role::none) {
        return std::nullopt;
    }
    return found->second.tag;
}

std::vector<Executable> GraphRegistry::executables() const {
    const std::lock_guard lock(mutex_);
    std::vector<Executable> all;
    for (const std::uint32_t id : executables_) {
        Executable executable{.id = id};
        const auto [begin, end] = range_of(id);
        for (auto node = begin; node != end; ++node) {
            if (node->second.is_made_by_copying) {
                continue;
            }
            switch (node->second.kind) {
            case NodeKind::kernel: ++executable.kernels; break;
            case NodeKind::memory_copy: ++executable.memory_copies; break;
            case NodeKind::memory_set: ++executable.memory_sets; break;
            case NodeKind::other: break;
            }
        }
        all.push_back(executable);
    }
    return all;
}

std::vector<Tag> GraphRegistry::tags_of_executable(std::uint32_t executable) const {
    const std::lock_guard lock(mutex_);
    std::vector<Tag> tags;
    const auto [begin, end] = range_of(executable);
    for (auto node = begin; node != end; ++node) {
        tags.resize(static_cast<std::uint32_t>(node->first)); // the ones in between have no tag
        tags.push_back(node->second.tag);
    }
    return tags;
}

std::vector<std::uint64_t> GraphRegistry::nodes_of(std::uint32_t graph_or_executable) const {
    const std::lock_guard lock(mutex_);
    std::vector<std::uint64_t> ids;
    const auto [begin, end] = range_of(graph_or_executable);
    for (auto node = begin; node != end; ++node) {
        ids.push_back(node->first);
    }
    return ids;
}

} // namespace kvprof::activity
