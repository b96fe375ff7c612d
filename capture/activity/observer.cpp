#include "capture/activity/observer.h"

namespace kvprof::activity {

void Observer::api_enter(const ApiId& api, ApiKind kind, std::uint32_t correlation) noexcept {
    launches_.enter(api, kind, correlation);
}

void Observer::api_exit(const ApiId& api, bool has_failed) {
    launches_.exit(api, has_failed);
}

void Observer::node_created(std::uint64_t node, NodeKind kind) {
    if (LaunchCounter::is_copying()) {
        graphs_.add_node(node, kind);
        return;
    }
    graphs_.tag_node(node, kind, current_scope().tag);
    launches_.note_captured();
}

void Observer::node_cloned(std::uint64_t node, std::uint64_t original, NodeKind kind) {
    graphs_.clone_node(node, original, kind);
}

void Observer::executable_created(std::uint32_t executable) {
    graphs_.add_executable(executable);
}

void Observer::graph_destroyed(std::uint32_t graph_or_executable) {
    graphs_.retire(graph_or_executable);
}

} // namespace kvprof::activity
