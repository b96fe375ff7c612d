#include "capture/activity/api_class.h"

#include <algorithm>
#include <array>

namespace kvprof::activity {

namespace {

using Words = std::string_view;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Without a last "_v<digits>", "_ptsz" or "_ptds"; they come in either order.
Words drop_suffix(Words name) {
    const std::size_t underscore = name.rfind('_');
    if (underscore == Words::npos) {
        return name;
    }
    const Words last = name.substr(underscore + 1);
    const bool is_version = last.size() > 1 && last.front() == 'v'
                            && std::all_of(last.begin() + 1, last.end(), is_digit);
    return is_version || last == "ptsz" || last == "ptds" ? name.substr(0, underscore) : name;
}

Words base_name(Words name) {
    for (Words shorter = drop_suffix(name); shorter != name; shorter = drop_suffix(name)) {
        name = shorter;
    }
    return name;
}

/// "LaunchKernel" of "cudaLaunchKernel", "__cudaLaunchKernel" and "cuLaunchKernel".
Words without_prefix(Words name) {
    for (const Words prefix : {"__cuda", "cuda", "cu64", "cu"}) {
        if (name.starts_with(prefix)) {
            return name.substr(prefix.size());
        }
    }
    return name;
}

bool starts_with_any(Words name, std::initializer_list<Words> prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(), [name](Words prefix) {
        return name.starts_with(prefix);
    });
}

/// Functions on graphs. Those about one node ("GraphAddMemcpyNode") put nothing on the device.
ApiKind classify_graph(Words name) {
    if (name == "GraphLaunch") {
        return ApiKind::graph_launch;
    }
    if (name == "GraphUpload") {
        return ApiKind::graph_upload;
    }
    const bool is_copying = name.starts_with("GraphInstantiate") || name == "GraphClone"
                            || name == "GraphExecUpdate" || name == "GraphAddChildGraphNode";
    return is_copying ? ApiKind::graph_instantiate : ApiKind::other;
}

bool is_event(Words name) {
    return name.starts_with("EventRecord") || name.ends_with("WaitEvent")
           || name.ends_with("RecordEvent");
}

bool is_allocation(Words name) {
    return starts_with_any(
               name, {"Malloc", "Free", "HostAlloc", "MemAlloc", "MemFree", "MemHostAlloc"}
           )
           || name == "MemCreate" || name == "MemRelease";
}

bool is_capture(Words name) {
    return name.starts_with("StreamBeginCapture") || name == "StreamEndCapture"
           || name == "StreamUpdateCaptureDependencies";
}

} // namespace

std::string function_name(std::string_view callback_name) {
    return std::string(base_name(callback_name));
}

ApiKind classify_api(std::string_view callback_name) {
    const Words name = without_prefix(base_name(callback_name));
    if (name.starts_with("Graph")) {
        return classify_graph(name);
    }
    if (name == "LaunchHostFunc" || name == "StreamAddCallback") {
        return ApiKind::host_function;
    }
    if (name.starts_with("Launch")) {
        return ApiKind::kernel_launch;
    }
    if (name.starts_with("Memcpy")) {
        return ApiKind::memory_copy;
    }
    if (name.starts_with("Memset")) {
        return ApiKind::memory_set;
    }
    if (name.ends_with("Synchronize")) {
        return ApiKind::synchronize;
    }
    if (is_event(name)) {
        return ApiKind::event;
    }
    if (is_allocation(name)) {
        return ApiKind::allocate;
    }
    return is_capture(name) ? ApiKind::capture : ApiKind::other;
}

} // namespace kvprof::activity
