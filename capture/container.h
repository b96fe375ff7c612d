#pragma once

#include <string>
#include <string_view>

namespace kvprof {

/// What a container runtime leaves behind for the processes in it.
struct ContainerTraces {
    bool has_docker_file = false;    ///< /.dockerenv
    bool has_container_file = false; ///< /run/.containerenv
    bool has_kubernetes = false;     ///< KUBERNETES_SERVICE_HOST is set
    std::string variable;            ///< $container, set by systemd-nspawn, podman and LXC
    std::string control_groups;      ///< /proc/self/cgroup
    std::string mounts;              ///< /proc/self/mountinfo
};

/// Read from this process.
[[nodiscard]] ContainerTraces container_traces();

/// "kubernetes", "docker", "podman", "containerd", "lxc", what $container says, or "none".
[[nodiscard]] std::string container_in(const ContainerTraces& traces);

} // namespace kvprof
