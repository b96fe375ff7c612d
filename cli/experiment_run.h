#pragma once

#include "capture/experiment/spec_file.h"
#include "cli/commands.h"
#include "cli/device_ceilings.h"
#include "cli/progress.h"
#include "cli/run_plan.h"
#include "db/store.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kvprof::cli {

/// One experiment, from the first process to the last row: measures in the planned order, stores
/// each run as soon as it is there, and measures void runs of a design again.
class ExperimentRun {
  public:
    /// Whether the runs so far, of an A/B experiment that may end early, decide.
    using IsDecided = std::function<bool(const Experiment& so_far)>;

    /// Adds the experiment to the store. The plan and the store must outlive it.
    ExperimentRun(const RunOptions& options, const RunPlan& plan, db::Store& store);
    /// Goes on with one that was left: the places of the order whose variant and repeat have a run
    /// are kept, unless it or one of its passes was cut short, and then it is measured anew in its
    /// place.
    /// @throws UsageError when one of its runs is not in the plan, or had other options there.
    ExperimentRun(
        const RunOptions& options,
        const RunPlan& plan,
        db::Store& store,
        const Experiment& unfinished
    );

    /// Measures until done, decided, or until a signal comes. The worst exit code of its runs.
    ExitCode measure_all(const IsDecided& is_decided = {});

    [[nodiscard]] const std::string& experiment() const { return uuid_; }

  private:
    /// Measures one place of the order until a run of it stands.
    [[nodiscard]] ExitCode fill(const experiment::Slot& slot);
    [[nodiscard]] Run measure_slot(const experiment::Slot& slot);
    /// One pass in a process of its own.
    [[nodiscard]] Run
    measure_pass(const experiment::Cell& cell, const experiment::Assignment& assignment);
    /// The passes beside the timing pass, for a run that has one. Whether there were any.
    bool observe(const experiment::Slot& slot, Run& run);
    /// Sets aside a void run while there is budget for another one. Whether it did.
    bool set_aside(Run& run, std::int64_t attempt);
    /// Those of its device, measured where nobody knows them. Whether the stored run changed.
    bool add_ceilings(Run& run);
    [[nodiscard]] bool is_at_look(std::size_t measured) const;
    void store_run(const Run& run);
    /// Whether the place has a run from before.
    [[nodiscard]] bool is_kept(const experiment::Slot& slot) const;
    void start_progress();

    /// A variant and its repeat.
    using Place = std::pair<std::string, std::int64_t>;

    const RunOptions& options_;
    const RunPlan& plan_;
    db::Store& store_;
    std::string uuid_ = db::new_uuid();
    std::int64_t position_ = 0;
    std::int64_t replacements_;
    std::vector<Place> kept_;                  ///< that are measured
    std::map<Place, std::string> interrupted_; ///< -> uuid of its run
    std::optional<Progress> progress_;
    DeviceCeilings ceilings_;
};

/// Measures with the signals in hand; afterwards they end the program as they do any other.
[[nodiscard]] ExitCode measure_interruptibly(
    const RunOptions& options,
    ExperimentRun& running,
    const ExperimentRun::IsDecided& is_decided = {}
);

/// Says on stderr what an interrupted experiment leaves, and how to see it.
void say_interrupted(const db::Store& store, const Experiment& experiment, std::size_t planned);

/// Says, unless the user chose the host executor or wants quiet, that times will be host times.
void warn_of_host(const RunOptions& options);

} // namespace kvprof::cli
