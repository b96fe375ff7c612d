#include "cli/measure_run.h"

#include "capture/executor_factory.h"
#include "capture/experiment/child_process.h"
#include "capture/experiment/temp_folder.h"
#include "capture/host_facts.h"
#include "capture/measure.h"
#include "capture/observe.h"
#include "cli/interrupts.h"
#include "cli/stores.h"
#include "db/store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <new>
#include <optional>
#include <system_error>
#include <type_traits>
#include <utility>

namespace kvprof::cli {

namespace {

using experiment::Assignment;
using experiment::ChildEnd;
using experiment::ChildResult;

/// The run that a child left, if it came that far.
std::optional<Run> result_in(const std::filesystem::path& file) {
    if (std::error_code ignored; !std::filesystem::exists(file, ignored)) {
        return std::nullopt;
    }
    try {
        const db::Store result(file, db::OpenMode::read);
        const auto experiments = result.list_experiments();
        if (experiments.empty()) {
            return std::nullopt;
        }
        auto runs = result.load_experiment(experiments.front().uuid).runs;
        if (runs.empty()) {
            return std::nullopt;
        }
        runs.front().events = result.load_events(runs.front().uuid);
        return std::move(runs.front());
    } catch (const StoreError&) {
        return std::nullopt; // killed while writing: how it ended is the better reason
    }
}

Run without_result(const Assignment& assignment, const ChildResult& end, double timeout_s) {
    const bool is_bug =
        end.end == ChildEnd::exited && end.code == static_cast<int>(ExitCode::internal);
    const ExitCode code = is_bug ? ExitCode::internal : ExitCode::not_measured;
    switch (end.end) {
    case ChildEnd::stopped:
        return not_measured(assignment, RunState::interrupted, kStoppedBySignal, code);
    case ChildEnd::timed_out: {
        std::string reason = fmt::format("took over {:g} s (--timeout)", timeout_s);
        return not_measured(assignment, RunState::not_run, std::move(reason), code);
    }
    case ChildEnd::exited:
    case ChildEnd::signalled: break;
    }
    std::string reason = fmt::format("the measuring process was {}", describe(end));
    if (end.end == ChildEnd::exited) {
        reason = fmt::format("the measuring process {}", describe(end));
    }
    return not_measured(assignment, RunState::not_run, std::move(reason), code);
}

/// This very binary, even when its file was replaced meanwhile.
constexpr const char* kThisProgram = "/proc/self/exe";

Run run_in_child(const Assignment& assignment, const ChildSetup& setup) {
    const experiment::TempFolder folder;
    const std::filesystem::path spec = folder.path() / "spec";
    const std::filesystem::path out = folder.path() / "result.db";
    experiment::write_assignment(spec, assignment);

    const ChildResult end = experiment::run_child(
        {.program = setup.program.empty() ? kThisProgram : setup.program,
         .arguments = {"kvprof", "_measure", "--spec", spec.string(), "--out", out.string()},
         .timeout = setup.timeout,
         .stop_signal = [] { return Interrupts::count() > 1 ? SIGKILL : Interrupts::signal(); },
         .tick = setup.tick}
    );
    std::optional<Run> run = result_in(out);
    if (!run) {
        run = without_result(assignment, end, std::chrono::duration<double>(setup.timeout).count());
    } else if (end.end != ChildEnd::exited || end.code != 0) {
        run->notes.push_back(fmt::format("after the result was written: {}", describe(end)));
    }
    run->process_id = end.pid;
    return *run;
}

} // namespace

Run not_measured(const Assignment& assignment, RunState state, std::string reason, ExitCode code) {
    if (assignment.pass != Pass::timing) {
        return failed_pass(assignment.pass, std::move(reason));
    }
    const HostFacts host = host_facts();
    Run run;
    run.step = assignment.step;
    run.measure = assignment.measure;
    run.status = {state, std::move(reason), static_cast<int>(code)};
    run.environment.executor = to_string(assignment.measure.executor);
    run.environment.cpu_model = host.cpu_model;
    run.environment.cpu_count = host.cpu_count;
    run.environment.hostname = host.hostname;
    run.environment.os = host.os;
    run.environment.build = build_text();
    visit_fields(run.environment, [](const FieldInfo& /*field*/, auto& value) {
        if constexpr (std::is_same_v<std::remove_reference_t<decltype(value)>, std::string>) {
            value = value.empty() ? "unavailable: nothing was measured" : value;
        }
    });
    run.process_id = getpid();
    return run;
}

Run measure_here(const Assignment& assignment) {
    try {
        const Instruments with = make_instruments(assignment.measure, assignment.pass);
        Run run = assignment.pass == Pass::timing
                      ? measure(*with.executor, assignment.step, assignment.measure)
                      : observe(
                          assignment.pass,
                          with.recorder.get(),
                          *with.executor,
                          assignment.step,
                          assignment.measure
                      );
        run.environment.build = build_text();
        run.process_id = getpid();
        return run;
    } catch (const Error& error) {
        return not_measured(assignment, RunState::not_run, with_hint(error), code_of(error));
    } catch (const std::bad_alloc&) {
        return not_measured(
            assignment,
            RunState::not_run,
            fmt::format(
                "could not allocate host memory: {} are available",
                format_bytes({host_facts().memory_available_bytes})
            ),
            ExitCode::not_measured
        );
    }
}

Run measure_in_child(const Assignment& assignment, const ChildSetup& setup) {
    try {
        return run_in_child(assignment, setup);
    } catch (const Error& error) {
        return not_measured(assignment, RunState::not_run, with_hint(error), code_of(error));
    }
}

} // namespace kvprof::cli
