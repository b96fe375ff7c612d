#include "capture/container.h"

#include "capture/text_file.h"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <utility>

namespace kvprof {

namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

/// Names of runtimes by what their control groups and mounts have in their paths, the more specific
/// first.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kMarks{
    {{"kubepods", "kubernetes"},
     {"libpod", "podman"},
     {"docker", "docker"},
     {"containerd", "containerd"},
     {"/lxc/", "lxc"},
     {"/lxc.", "lxc"}}};

std::string_view runtime_in(std::string_view text) {
    for (const auto& [mark, runtime] : kMarks) {
        if (text.find(mark) != std::string_view::npos) {
            return runtime;
        }
    }
    return {};
}

/// A machine that merely runs containers mounts their layers too; inside one, single files such as
/// /etc/hostname come from the runtime's folder.
std::string_view runtime_of_mounted_files(std::string_view mounts) {
    while (!mounts.empty()) {
        const std::size_t end = mounts.find('\n');
        const std::string_view line = mounts.substr(0, end);
        if (line.find(" /etc/hostname ") != std::string_view::npos) {
            return runtime_in(line);
        }
        mounts.remove_prefix(end == std::string_view::npos ? mounts.size() : end + 1);
    }
    return {};
}

} // namespace

ContainerTraces container_traces() {
    return {
        .has_docker_file = access("/.dockerenv", F_OK) == 0,
        .has_container_file = access("/run/.containerenv", F_OK) == 0,
        .has_kubernetes = !variable("KUBERNETES_SERVICE_HOST").empty(),
        .variable = variable("container"),
        .control_groups = read_text_file("/proc/self/cgroup"),
        .mounts = read_text_file("/proc/self/mountinfo")};
}

std::string container_in(const ContainerTraces& traces) {
    if (traces.has_kubernetes) {
        return "kubernetes";
    }
    if (const std::string_view runtime = runtime_in(traces.control_groups); !runtime.empty()) {
        return std::string(runtime);
    }
    if (traces.has_container_file) {
        return "podman";
    }
    if (traces.has_docker_file) {
        return "docker";
    }
    if (!traces.variable.empty()) {
        return traces.variable;
    }
    const std::string_view runtime = runtime_of_mounted_files(traces.mounts);
    return runtime.empty() ? "none" : std::string(runtime);
}

} // namespace kvprof
