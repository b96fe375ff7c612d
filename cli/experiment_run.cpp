#include "cli/experiment_run.h"

#include "capture/executor_factory.h"
#include "capture/experiment/validity.h"
#include "capture/model/error.h"
#include "capture/observe.h"
#include "capture/passes.h"
#include "cli/interrupts.h"
#include "cli/measure_run.h"
#include "cli/messages.h"
#include "cli/stores.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace kvprof::cli {

namespace {

/// Whether the run was cut short: while its step was timed, or in one of its further passes.
bool is_cut_short(const Run& run) {
    if (run.status.state != RunState::complete) {
        return run.status.state == RunState::interrupted;
    }
    const std::vector<Pass> wanted = passes_of(run.measure, run.repeat);
    return std::any_of(wanted.begin(), wanted.end(), [&](Pass pass) {
        const auto found =
            std::find_if(run.passes.begin(), run.passes.end(), [&](const PassResult& result) {
                return result.pass == pass;
            });
        return pass != Pass::timing
               && (found == run.passes.end() || found->failure == kStoppedBySignal);
    });
}

} // namespace

ExperimentRun::ExperimentRun(const RunOptions& options, const RunPlan& plan, db::Store& store)
    : options_(options),
      plan_(plan),
      store_(store),
      replacements_(plan.replacements),
      ceilings_(store) {
    store_.add_experiment(
        {.uuid = uuid_,
         .started_at = utc_now(),
         .command_line = options.command_line,
         .label = options.label,
         .state = ExperimentState::running,
         .kind = plan.kind,
         .ab = plan.ab,
         .runs = {}}
    );
    start_progress();
}

ExperimentRun::ExperimentRun(
    const RunOptions& options, const RunPlan& plan, db::Store& store, const Experiment& unfinished
)
    : options_(options),
      plan_(plan),
      store_(store),
      uuid_(unfinished.uuid),
      replacements_(plan.replacements),
      ceilings_(store) {
    for (const Run& run : unfinished.runs) {
        const auto cell =
            std::find_if(plan.cells.begin(), plan.cells.end(), [&](const experiment::Cell& one) {
                return one.variant == run.variant;
            });
        if (cell == plan.cells.end() || cell->step != run.step || cell->measure != run.measure) {
            throw UsageError(
                fmt::format(
                    "could not go on with {}: its run {} {}",
                    unfinished.uuid.substr(0, 8),
                    run.variant,
                    cell == plan.cells.end() ? "is not asked for" : "had other options"
                ),
                fmt::format(
                    "{}: {}",
                    cell == plan.cells.end() ? "ask for all of its runs; it was started with"
                                             : "give the options that it was started with",
                    unfinished.command_line
                )
            );
        }
        position_ = std::max(position_, run.position + 1);
        if (is_cut_short(run)) {
            interrupted_.emplace(Place{run.variant, run.repeat}, run.uuid);
        } else {
            kept_.emplace_back(run.variant, run.repeat);
        }
    }
    store_.finish_experiment(uuid_, ExperimentState::running);
    start_progress();
}

void ExperimentRun::start_progress() {
    if (options_.common.shows_progress) {
        const std::size_t left = plan_.order.size() - kept_.size();
        progress_.emplace(stderr, isatty(STDERR_FILENO) != 0, left);
    }
}

bool ExperimentRun::is_kept(const experiment::Slot& slot) const {
    const Place place{plan_.cells[slot.cell].variant, slot.repeat};
    return std::find(kept_.begin(), kept_.end(), place) != kept_.end();
}

void ExperimentRun::store_run(const Run& run) {
    if (interrupted_.erase({run.variant, run.repeat}) > 0) {
        store_.replace_run(uuid_, run);
    } else {
        store_.add_run(uuid_, run);
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
    return measure_pass(cell, assignment);
}

Run ExperimentRun::measure_pass(
    const experiment::Cell& cell, const experiment::Assignment& assignment
) {
    const std::chrono::duration<double> timeout(options_.timeout_s);
    return measure_in_child(
        assignment,
        {.program = cell.program,
         .timeout = std::chrono::ceil<std::chrono::milliseconds>(timeout),
         .tick =
             [this] {
                 if (progress_) {
                     progress_->tick();
                 }
             }}
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
            add_pass(run, measure_pass(cell, assignment));
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

bool ExperimentRun::set_aside(Run& run, std::int64_t attempt) {
    if (replacements_ == 0 || Interrupts::signal() != 0) {
        return false;
    }
    std::string reason = experiment::void_reason(run, attempt);
    if (reason.empty()) {
        return false;
    }
    --replacements_;
    run.status = {RunState::voided, std::move(reason), 0};
    return true;
}

ExitCode ExperimentRun::fill(const experiment::Slot& slot) {
    const std::string& variant = plan_.cells[slot.cell].variant;
    for (std::int64_t attempt = 0;; ++attempt) {
        if (progress_) {
            progress_->start(static_cast<std::size_t>(position_), variant);
        }
        const std::string started_at = utc_now();
        Run run = measure_slot(slot);
        const auto before = interrupted_.find({variant, slot.repeat});
        run.uuid = before == interrupted_.end() ? db::new_uuid() : before->second;
        run.variant = variant;
        const auto& notes = plan_.cells[slot.cell].notes;
        run.notes.insert(run.notes.end(), notes.begin(), notes.end());
        run.repeat = slot.repeat;
        run.position = position_++;
        run.started_at = started_at;
        run.ab = slot.ab;
        if (run.ab) {
            run.ab->attempt = attempt;
        }
        const bool is_void = set_aside(run, attempt);
        ceilings_.give(run);
        store_run(run); // before anything else can go wrong
        if (!is_void) {
            const bool has_ceilings = add_ceilings(run);
            if (observe(slot, run) || has_ceilings) {
                store_.replace_run(uuid_, run);
            }
        }
        if (progress_) {
            progress_->stored(run, options_.common.is_verbose);
        }
        if (!is_void) {
            return static_cast<ExitCode>(run.status.exit_code);
        }
        if (progress_) {
            progress_->add_one();
        }
    }
}

bool ExperimentRun::add_ceilings(Run& run) {
    return !options_.is_single_process && ceilings_.measure_for(run, [this] {
        if (progress_) {
            progress_->tick();
        }
    });
}

bool ExperimentRun::is_at_look(std::size_t measured) const {
    return std::any_of(plan_.looks.begin(), plan_.looks.end(), [&](std::int64_t runs) {
        return measured == plan_.cells.size() * static_cast<std::size_t>(runs);
    });
}

ExitCode ExperimentRun::measure_all(const IsDecided& is_decided) {
    ExitCode code = ExitCode::done;
    for (std::size_t i = 0; i < plan_.order.size() && Interrupts::signal() == 0; ++i) {
        const experiment::Slot& slot = plan_.order[i];
        if (is_kept(slot)) {
            continue;
        }
        const ExitCode of_run = fill(slot);
        // That a system, a shape or a point can not run is an answer of their experiment, and no
        // failure.
        const bool has_answers = plan_.kind == ExperimentKind::systems
                                 || plan_.kind == ExperimentKind::tune
                                 || plan_.kind == ExperimentKind::sweep;
        const bool is_answer = has_answers && plan_.impossible[slot.cell].has_value();
        code = is_answer ? code : worse(code, of_run);
        if (is_decided && is_at_look(i + 1) && is_decided(store_.load_experiment(uuid_))) {
            break;
        }
    }
    progress_.reset();
    const bool is_interrupted = Interrupts::signal() != 0;
    store_.finish_experiment(
        uuid_, is_interrupted ? ExperimentState::interrupted : ExperimentState::complete
    );
    return is_interrupted ? Interrupts::exit_code() : code;
}

ExitCode measure_interruptibly(
    const RunOptions& options, ExperimentRun& running, const ExperimentRun::IsDecided& is_decided
) {
    const Interrupts interrupts(options.is_single_process);
    return running.measure_all(is_decided);
}

void say_interrupted(const db::Store& store, const Experiment& experiment, std::size_t planned) {
    const std::string name = experiment.uuid.substr(0, 8);
    const bool can_resume =
        experiment.kind == ExperimentKind::systems || experiment.kind == ExperimentKind::tune;
    say(fmt::format(
        "kvprof: interrupted: {} of {} runs are stored in {}\n  hint: kvprof show {}{}\n",
        experiment.runs.size(),
        planned,
        store.path().string(),
        name,
        can_resume ? "; the same command goes on with --resume " + name : ""
    ));
}

void warn_of_host(const RunOptions& options) {
    if (options.measure.executor == ExecutorKind::automatic && !options.common.is_quiet
        && resolve(ExecutorKind::automatic) == ExecutorKind::host) {
        say("kvprof: no GPU to use: steps run on the host executor, times are host times\n"
            "  hint: kvprof doctor says why; a small step is quick here: --preset tiny-mla --batch "
            "8 "
            "--seq-len 512\n");
    }
}

} // namespace kvprof::cli
