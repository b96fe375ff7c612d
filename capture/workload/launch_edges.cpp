#include "capture/workload/launch_edges.h"

#include <variant>

namespace kvprof::workload {

void apply_launch_edges(LaunchEdges edges, Commands& commands) {
    if (edges == LaunchEdges::automatic) {
        return;
    }
    const bool starts_early = edges == LaunchEdges::programmatic;
    const auto apply = [&](auto& call) {
        if constexpr (requires { call.starts_early; }) {
            call.starts_early = starts_early;
        }
        if constexpr (requires { call.tuning.starts_early; }) {
            call.tuning.starts_early = starts_early;
        }
    };
    for (Command& command : commands) {
        if (auto* kernel = std::get_if<kernels::KernelCall>(&command.action)) {
            std::visit(apply, *kernel);
        }
    }
}

} // namespace kvprof::workload
