#include "analyzers/render_json.h"
#include "analyzers/render_markdown.h"
#include "analyzers/render_text.h"
#include "capture/executor_factory.h"
#include "capture/observe.h"
#include "capture/passes.h"
#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/measure_run.h"
#include "cli/messages.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/run_plan.h"
#include "cli/stores.h"
#include "db/store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>

namespace kvprof::cli {

namespace {

std::string render(const Experiment& experiment, Format format) {
    switch (format) {
    case Format::text: return analyzers::experiment_text(experiment);
    case Format::markdown: return analyzers::experiment_markdown(experiment);
    case Format::json: return analyzers::experiment_json(experiment);
    }
    return {};
}

/// One `kvprof run`, from the first process to the last row.
class ExperimentRun {
  public:
    ExperimentRun(const RunOptions& options, const RunPlan& plan, db::Store& store);

    /// Measures in order and stores after each run, until done or until a signal comes.
    ExitCode measure_all();

    [[nodiscard]] const std::string& experiment() const { return uuid_; }

  private:
    [[nodiscard]] Run measure_slot(const experiment::Slot& slot);
    /// One pass in a process of its own.
    [[nodiscard]] Run measure_pass(const experiment::Assignment& assignment);
    /// The passes beside the timing pass, for a run that has one. Whether there were any.
    bool observe(const experiment::Slot& slot, Run& run);

    const RunOptions& options_;
    const RunPlan& plan_;
    db::Store& store_;
    std::string uuid_ = db::new_uuid();
    std::optional<Progress> progress_;
};

ExperimentRun::ExperimentRun(const RunOptions& options, const RunPlan& plan, db::Store& store)
    : options_(options),
      plan_(plan),
      store_(store) {
    store_.add_experiment(
        {.uuid = uuid_,
         .started_at = utc_now(),
         .command_line = options.command_line,
         .label = options.label,
         .state = ExperimentState::running,
         .runs = {}}
    );
    if (options.common.shows_progress) {
        progress_.emplace(stderr, isatty(STDERR_FILENO) != 0, plan.order.size());
    }
}

Run ExperimentRun::measure_slot(const experiment::Slot& slot) {
    const experiment::Cell& cell = plan_.cells[slot.cell];
    const experiment::Assignment assignment{cell.step, cell.measure, Pass::timing};
    if (const auto& why = plan_.impossible[slot.cell]) {
        return not_measured(assignment, RunState::not_run, *why, ExitCode::usage);
    }
    if (options_.is_single_process) {
        Run run = measure_here(assignment);
        run.notes.emplace_back("single-layout: measured in the process of the other runs");
        return run;
    }
    return measure_pass(assignment);
}

Run ExperimentRun::measure_pass(const experiment::Assignment& assignment) {
    const std::chrono::duration<double> timeout(options_.timeout_s);
    return measure_in_child(
        assignment,
        std::chrono::ceil<std::chrono::milliseconds>(timeout),
        [this] {
            if (progress_) {
                progress_->tick();
            }
        }
    );
}

bool ExperimentRun::observe(const experiment::Slot& slot, Run& run) {
    const experiment::Cell& cell = plan_.cells[slot.cell];
    experiment::Assignment assignment{cell.step, cell.measure, Pass::timing};
    if (options_.is_single_process) {
        return false;
    }
    for (const Pass pass : passes_of(assignment.measure, slot.repeat)) {
        if (run.status.state != RunState::complete || Interrupts::signal() != 0) {
            break;
        }
        if (pass != Pass::timing) {
            assignment.pass = pass;
            add_pass(run, measure_pass(assignment));
        }
    }
    const auto has_failed = [](const PassResult& pass) { return !pass.failure.empty(); };
    if (names_passes(assignment.measure) && run.status.state == RunState::complete
        && std::any_of(run.passes.begin(), run.passes.end(), has_failed)) {
        // The run's own figures stand; what was asked for beside them is missing.
        run.status.exit_code = static_cast<int>(ExitCode::not_measured);
    }
    return !run.passes.empty();
}

ExitCode ExperimentRun::measure_all() {
    ExitCode code = ExitCode::done;
    for (std::size_t i = 0; i < plan_.order.size() && Interrupts::signal() == 0; ++i) {
        const experiment::Slot& slot = plan_.order[i];
        const std::string& variant = plan_.cells[slot.cell].variant;
        if (progress_) {
            progress_->start(i, variant);
        }
        const std::string started_at = utc_now();
        Run run = measure_slot(slot);
        run.uuid = db::new_uuid();
        run.variant = variant;
        run.repeat = slot.repeat;
        run.position = static_cast<std::int64_t>(i);
        run.started_at = started_at;
        store_.add_run(uuid_, run); // before anything else can go wrong
        if (observe(slot, run)) {
            store_.replace_run(uuid_, run);
        }
        code = worse(code, static_cast<ExitCode>(run.status.exit_code));
        if (progress_) {
            progress_->stored(run, options_.common.is_verbose);
        }
    }
    progress_.reset();
    const bool is_interrupted = Interrupts::signal() != 0;
    store_.finish_experiment(
        uuid_, is_interrupted ? ExperimentState::interrupted : ExperimentState::complete
    );
    return is_interrupted ? Interrupts::exit_code() : code;
}

/// Someone who leaves the choice to `auto` should know what the times are.
void warn_of_host(const RunOptions& options) {
    if (options.measure.executor == ExecutorKind::automatic && !options.common.is_quiet
        && resolve(ExecutorKind::automatic) == ExecutorKind::host) {
        say("kvprof: no GPU to use: steps run on the host executor, times are host times\n"
            "  hint: kvprof doctor says why; a small step is quick here: --preset tiny-mla --batch "
            "8 "
            "--seq-len 512\n");
    }
}

} // namespace

/// Measures with the signals in hand; afterwards they end the program as they do any other.
ExitCode measure_interruptibly(const RunOptions& options, ExperimentRun& running) {
    const Interrupts interrupts(options.is_single_process);
    return running.measure_all();
}

ExitCode run(const RunOptions& options) {
    const RunPlan plan = plan_runs(options);
    Output output(options.common);
    if (options.is_dry) {
        output.write(options.common.format == Format::json ? plan_json(plan) : plan_text(plan));
        return ExitCode::done;
    }
    warn_of_host(options);
    db::Store store(store_path_of(options.common), db::OpenMode::create);
    ExperimentRun running(options, plan, store);
    const ExitCode code = measure_interruptibly(options, running);
    const Experiment experiment = store.load_experiment(running.experiment());
    if (experiment.state == ExperimentState::interrupted) {
        say(fmt::format(
            "kvprof: interrupted: {} of {} runs are stored in {}\n  hint: kvprof show {}\n",
            experiment.runs.size(),
            plan.order.size(),
            store.path().string(),
            experiment.uuid.substr(0, 8)
        ));
        return code;
    }
    try {
        output.write(render(experiment, options.common.format));
    } catch (const UsageError& error) {
        throw UsageError(
            error.what(),
            fmt::format(
                "the runs are stored all the same: kvprof show {}", experiment.uuid.substr(0, 8)
            )
        );
    }
    return code;
}

} // namespace kvprof::cli
