#include "capture/model/api_names.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

namespace kvprof {

namespace {

using Words = std::string_view;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

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

/// Without version and stream suffixes ("_v7000", "_v2", "_ptsz"), in any order.
Words base_name(Words name) {
    for (Words shorter = drop_suffix(name); shorter != name; shorter = drop_suffix(name)) {
        name = shorter;
    }
    return name;
}

/// "LaunchKernel" of "cudaLaunchKernel", "cuLaunchKernel" and "hipLaunchKernel"; empty where the
/// name is of none of the three.
Words without_vendor(Words name) {
    for (const Words vendor : {"__cuda", "cuda", "cu64", "cu", "hip"}) {
        if (name.starts_with(vendor)) {
            return name.substr(vendor.size());
        }
    }
    return {};
}

bool starts_with_any(Words name, std::initializer_list<Words> starts) {
    return std::any_of(starts.begin(), starts.end(), [name](Words start) {
        return name.starts_with(start);
    });
}

/// Calls on graphs. Those about one node ("GraphAddMemcpyNode") put nothing on the device.
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

/// HIP has launches of modules, extended ones and both: "hipExtModuleLaunchKernel".
bool is_launch(Words name) {
    return starts_with_any(
        name, {"Launch", "ExtLaunch", "ModuleLaunch", "ExtModuleLaunch", "DrvLaunch"}
    );
}

bool is_event(Words name) {
    return name.starts_with("EventRecord") || name.ends_with("WaitEvent")
           || name.ends_with("RecordEvent");
}

bool is_allocation(Words name) {
    return starts_with_any(
               name,
               {"Malloc",
                "Free",
                "HostAlloc",
                "HostMalloc",
                "HostFree",
                "ExtMalloc",
                "MemAlloc",
                "MemFree",
                "MemHostAlloc"}
           )
           || name == "MemCreate" || name == "MemRelease";
}

bool is_capture(Words name) {
    return name.starts_with("StreamBeginCapture") || name == "StreamEndCapture"
           || name == "StreamUpdateCaptureDependencies";
}

} // namespace

ApiKind classify_api(std::string_view call) {
    const Words name = without_vendor(base_name(call));
    if (name.starts_with("Graph")) {
        return classify_graph(name);
    }
    if (name == "LaunchHostFunc" || name == "StreamAddCallback") {
        return ApiKind::host_function;
    }
    if (is_launch(name)) {
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

std::string_view function_name(std::string_view call) {
    return base_name(call);
}

std::string_view canonical_call(std::string_view name) {
    constexpr std::size_t kShortest = 4; // "3020"
    const std::size_t mark = name.rfind("_v");
    if (mark != std::string_view::npos) {
        const std::string_view digits = name.substr(mark + 2);
        if (digits.size() >= kShortest
            && digits.find_first_not_of("0123456789") == std::string_view::npos) {
            name = name.substr(0, mark);
        }
    }
    for (const std::string_view stream : {"_ptsz", "_ptds"}) {
        if (name.ends_with(stream)) {
            return name.substr(0, name.size() - stream.size());
        }
    }
    return name;
}

} // namespace kvprof
