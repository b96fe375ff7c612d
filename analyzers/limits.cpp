#include "analyzers/limits.h"

#include "analyzers/imported_runs.h"
#include "analyzers/pass_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

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

/// Whether the pass ran for the run or for another one of its specification: one repeat of a
/// variant is traced for all of them.
bool has_pass(const std::vector<Run>& runs, const Run& run, Pass pass) {
    return std::any_of(runs.begin(), runs.end(), [&](const Run& other) {
        const bool is_alike = other.step == run.step && other.measure == run.measure;
        return is_alike && measured_pass(other, pass) != nullptr;
    });
}

/// Why passes gave no figures, each reason once.
std::vector<std::string> failures_of(const std::vector<Run>& runs) {
    std::vector<std::string> lines;
    for (const Run& run : runs) {
        for (const PassResult& pass : run.passes) {
            std::string line =
                fmt::format("what the {} pass sees: {}", to_string(pass.pass), pass.failure);
            const bool is_new = std::find(lines.begin(), lines.end(), line) == lines.end();
            if (!pass.failure.empty() && is_new) {
                lines.push_back(std::move(line));
            }
        }
    }
    return lines;
}

/// What no pass saw, on a device; that a pass failed is said with its reason.
constexpr std::array kUnseen{
    std::pair{Pass::nodes, "the time of each op: the step was timed as a whole"},
    std::pair{Pass::counts, "launch calls of the CUDA API: the counts pass did not run"},
    std::pair{Pass::graph, "the span of a replay: the graph pass did not run"},
    std::pair{Pass::memory, "the graph's memory at each mark: the memory pass did not run"}};

bool did_not_run(const std::vector<Run>& runs, const Run& run, Pass pass) {
    const bool has_failed =
        std::any_of(run.passes.begin(), run.passes.end(), [&](const PassResult& result) {
            return result.pass == pass && !result.failure.empty();
        });
    // The host has no launches and no graph: of the passes only the times of ops could be had.
    return !has_failed && !has_pass(runs, run, pass) && (pass == Pass::nodes || !is_on_host(run));
}

/// Facts that no profile carries, each once.
std::vector<std::string> limits_of_profiles(const std::vector<Run>& runs) {
    std::vector<std::string> limits;
    for (const Run& run : runs) {
        for (const ProfileCapability& capability : run.profile->capabilities) {
            std::string line = fmt::format("{}: {}", capability.name, to_string(capability.state));
            const bool is_new = std::find(limits.begin(), limits.end(), line) == limits.end();
            if (capability.state != Capability::carried && is_new) {
                limits.push_back(std::move(line));
            }
        }
    }
    limits.emplace_back("graph memory: profiles do not hold it");
    if (runs.size() == 1) {
        limits.emplace_back("whether a time changed: one capture is one measurement");
    }
    return limits;
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
    if (are_imported(complete)) {
        return limits_of_profiles(complete);
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
    for (const auto& [pass, what] : kUnseen) {
        const auto is_unseen = [&, wanted = pass](const Run& run) {
            const bool is_time_of_ops = wanted == Pass::nodes && !run.measure.op.empty();
            return !is_time_of_ops && did_not_run(complete, run, wanted);
        };
        add_if_some(count_of(complete, is_unseen), what);
    }
    for (std::string& failure : failures_of(complete)) {
        limits.push_back(std::move(failure));
    }
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
        count_of(
            complete,
            [&](const Run& run) {
                return !has_device_free(run) && !has_pass(complete, run, Pass::memory);
            }
        ),
        "memory that the device reports (device-free): the ledger alone is shown"
    );
    return limits;
}

} // namespace kvprof::analyzers
