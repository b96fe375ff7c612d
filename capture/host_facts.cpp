#include "capture/host_facts.h"

#include "capture/text_file.h"

#include <sched.h>
#include <sys/utsname.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace kvprof {

namespace {

std::string_view trim(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t:\n");
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

/// Text after "key" on the first line that starts with it.
std::string_view value_of(std::string_view text, std::string_view key) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        if (line.starts_with(key)) {
            return trim(line.substr(key.size()));
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return {};
}

std::int64_t leading_number(std::string_view text) {
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// Bytes that the control group still grants; the largest number where there is no limit.
std::int64_t cgroup_headroom() {
    const std::string limit = read_text_file("/sys/fs/cgroup/memory.max");
    if (limit.empty() || limit.starts_with("max")) {
        return std::numeric_limits<std::int64_t>::max();
    }
    const std::int64_t used = leading_number(read_text_file("/sys/fs/cgroup/memory.current"));
    return std::max<std::int64_t>(0, leading_number(limit) - used);
}

std::int64_t usable_cpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

} // namespace

std::string cpu_model_in(std::string_view cpuinfo) {
    for (const std::string_view key : {"model name", "Model", "CPU part"}) {
        if (const std::string_view model = value_of(cpuinfo, key); !model.empty()) {
            return std::string(model);
        }
    }
    return "unavailable: /proc/cpuinfo names no model";
}

std::int64_t memory_available_in(std::string_view meminfo) {
    return leading_number(value_of(meminfo, "MemAvailable")) * 1024;
}

std::string boot_id() {
    const std::string text = read_text_file("/proc/sys/kernel/random/boot_id");
    const std::string_view id = trim(text);
    return id.empty() ? "unavailable: the kernel tells no boot id" : std::string(id);
}

HostFacts host_facts() {
    HostFacts facts;
    facts.cpu_model = cpu_model_in(read_text_file("/proc/cpuinfo"));
    facts.cpu_count = usable_cpus();
    facts.memory_available_bytes =
        std::min(memory_available_in(read_text_file("/proc/meminfo")), cgroup_headroom());
    utsname names{};
    if (uname(&names) == 0) {
        facts.hostname = names.nodename;
        facts.os = std::string(names.sysname) + " " + names.release;
    }
    return facts;
}

} // namespace kvprof
