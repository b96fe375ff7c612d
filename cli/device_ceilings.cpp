#include "cli/device_ceilings.h"

#include "capture/experiment/child_process.h"
#include "capture/experiment/temp_folder.h"
#include "capture/model/error.h"
#include "cli/interrupts.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <string>
#include <utility>

namespace kvprof::cli {

namespace {

using experiment::ChildEnd;

/// What `kvprof ceilings` measures, by way of a store of its own.
/// @throws Error when there is nothing, with the reason.
std::vector<Ceilings> measure_in_child(std::int64_t device, const std::function<void()>& tick) {
    const experiment::TempFolder folder;
    const std::string store = (folder.path() / "ceilings.db").string();
    const experiment::ChildResult end = experiment::run_child(
        {.program = "/proc/self/exe",
         .arguments =
             {"kvprof",
              "ceilings",
              "--remeasure",
              "--device",
              fmt::format("{}", device),
              "--db",
              store},
         .timeout = std::chrono::seconds(60),
         .stop_signal = [] { return Interrupts::count() > 1 ? SIGKILL : Interrupts::signal(); },
         .tick = tick}
    );
    if (end.end != ChildEnd::exited || end.code != 0) {
        throw UnavailableError(fmt::format("the measuring process {}", experiment::describe(end)));
    }
    return db::Store(store, db::OpenMode::read).ceilings();
}

} // namespace

DeviceCeilings::DeviceCeilings(const db::Store& store)
    : known_(store.ceilings()) {}

bool DeviceCeilings::give(Run& run) const {
    const Environment& where = run.environment;
    const auto found = std::find_if(known_.begin(), known_.end(), [&](const Ceilings& one) {
        return one.device_uuid == where.device_uuid && one.driver == where.driver;
    });
    if (found == known_.end() || run.status.state != RunState::complete
        || where.executor == "host") {
        return false;
    }
    run.ceilings = *found;
    return true;
}

bool DeviceCeilings::measure_for(Run& run, const std::function<void()>& tick) {
    const bool is_wanted = run.status.state == RunState::complete && !run.ceilings
                           && run.environment.executor == "cuda";
    if (!is_wanted || has_tried_ || Interrupts::signal() != 0) {
        return false;
    }
    has_tried_ = true;
    std::string failure = "its device is not this run's";
    try {
        for (Ceilings& one : measure_in_child(run.measure.device, tick)) {
            known_.push_back(std::move(one));
        }
    } catch (const Error& error) {
        failure = error.what();
    }
    if (!give(run)) {
        run.notes.push_back(fmt::format("no-ceilings: {}; kvprof ceilings measures them", failure));
    }
    return true;
}

} // namespace kvprof::cli
