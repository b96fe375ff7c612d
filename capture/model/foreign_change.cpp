#include "capture/model/foreign_change.h"

#include "capture/model/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace kvprof {

namespace {

struct Sightings {
    std::optional<std::int64_t> before;
    std::optional<std::int64_t> during;
    std::optional<std::int64_t> after;

    std::optional<std::int64_t>& at(std::string_view when) {
        if (when == "before") {
            return before;
        }
        return when == "during" ? during : after;
    }
};

/// Empty when the process stayed as it was.
std::string change_of(std::int64_t pid, const Sightings& seen) {
    if (!seen.before) {
        const std::int64_t bytes = std::max(seen.during.value_or(0), seen.after.value_or(0));
        return bytes == 0
                   ? fmt::format("pid {} came, with memory that the driver does not tell", pid)
                   : fmt::format("pid {} came with {}", pid, format_bytes({bytes}));
    }
    if (!seen.after) {
        return fmt::format("pid {} went", pid);
    }
    if (*seen.before == 0) {
        return {}; // not told: it has nothing to compare with
    }
    for (const std::optional<std::int64_t>& later : {seen.during, seen.after}) {
        if (later && std::abs(*later - *seen.before) > kSteadyForeignBytes) {
            return fmt::format(
                "pid {} went from {} to {}",
                pid,
                format_bytes({*seen.before}),
                format_bytes({*later})
            );
        }
    }
    return {};
}

} // namespace

std::vector<std::string> foreign_changes(const std::vector<ForeignProcess>& seen) {
    std::map<std::int64_t, Sightings> by_pid;
    for (const ForeignProcess& process : seen) {
        by_pid[process.pid].at(process.when) = process.bytes;
    }
    std::vector<std::string> changes;
    for (const auto& [pid, sightings] : by_pid) {
        if (std::string change = change_of(pid, sightings); !change.empty()) {
            changes.push_back(std::move(change));
        }
    }
    return changes;
}

} // namespace kvprof
