#include "analyzers/limits.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvprof::analyzers {

namespace {

template<typename Test>
std::size_t count_of(const std::vector<Run>& runs, Test&& test) {
    return static_cast<std::size_t>(std::count_if(runs.begin(), runs.end(), test));
}

bool is_on_host(const Run& run) {
    return run.environment.executor == "host";
}

bool is_unchecked(const Run& run) {
    return run.check.ids_compared == 0 && run.check.attention_rows == 0;
}

bool has_device_free(const Run& run) {
    return std::any_of(run.memory.begin(), run.memory.end(), [](const MemoryStat& stat) {
        return stat.source == MemorySource::device_free;
    });
}

} // namespace

std::vector<std::string> limits_of(const std::vector<Run>& runs) {
    std::vector<Run> complete;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(complete), [](const Run& run) {
        return run.status.state == RunState::complete;
    });
    if (complete.empty()) {
        return {"anything: no run is complete"};
    }
    std::vector<std::string> limits;
    const auto add_if_some = [&](std::size_t count, const char* what) {
        if (count > 0) {
            limits.push_back(
                count == complete.size()
                    ? std::string(what)
                    : fmt::format("{} (in {} of {} runs)", what, count, complete.size())
            );
        }
    };
    add_if_some(count_of(complete, is_on_host), "GPU time: the host executor measures host time");
    add_if_some(count_of(complete, is_on_host), "ids: the host executor is the twin itself");
    add_if_some(
        count_of(complete, [](const Run& run) { return run.measure.op.empty(); }),
        "the time of each op: the step was timed as a whole"
    );
    add_if_some(
        count_of(complete, [](const Run& run) { return !run.measure.op.empty(); }),
        "the whole step: one op was timed alone"
    );
    add_if_some(
        count_of(complete, is_unchecked), "correctness: outputs were not compared with a reference"
    );
    add_if_some(
        count_of(
            complete,
            [](const Run& run) { return !is_unchecked(run) && run.check.attention_rows == 0; }
        ),
        "attention outputs: no row was compared with a reference"
    );
    add_if_some(
        count_of(complete, [](const Run& run) { return !has_device_free(run); }),
        "memory that the device reports (device-free): the ledger alone is shown"
    );
    return limits;
}

} // namespace kvprof::analyzers
