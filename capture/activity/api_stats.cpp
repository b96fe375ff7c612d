#include "capture/activity/join.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

namespace kvprof::activity {

namespace {

bool is_of_steps(const CallCount& count) {
    return count.is_captured || count.first_step >= 0;
}

ApiStat stat_of(const NamedCall& call) {
    ApiStat stat{
        .call = call.function,
        .kind = call.count.kind,
        .role = call.count.tag.role,
        .is_captured = call.count.is_captured};
    if (stat.role == Role::op) {
        stat.op = call.count.tag.op;
    }
    return stat;
}

auto identity_of(const ApiStat& stat) {
    return std::tuple(std::string_view(stat.call), stat.kind, stat.role, stat.op, stat.is_captured);
}

} // namespace

std::vector<ApiStat> api_stats(const Recording& recording) {
    std::vector<ApiStat> stats;
    for (const NamedCall& call : recording.calls) {
        if (!is_of_steps(call.count)) {
            continue;
        }
        ApiStat stat = stat_of(call);
        auto found = std::ranges::find(stats, identity_of(stat), identity_of);
        if (found == stats.end()) {
            found = stats.insert(stats.end(), std::move(stat));
        }
        found->calls += call.count.calls;
        found->failed += call.count.failed;
    }
    return stats;
}

} // namespace kvprof::activity
