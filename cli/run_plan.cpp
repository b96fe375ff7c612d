#include "cli/run_plan.h"

#include "capture/executor_factory.h"
#include "capture/experiment/spec_file.h"
#include "capture/measure.h"
#include "capture/model/error.h"
#include "capture/model/params.h"
#include "capture/passes.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <system_error>

namespace kvprof::cli {

namespace {

std::string name_of(const experiment::Cell& cell) {
    return cell.variant.empty() ? "run" : cell.variant;
}

nlohmann::json params_json(const experiment::Cell& cell) {
    nlohmann::json json;
    for (const Param& param : to_params(cell.step)) {
        json["step"][param.name] = param.value;
    }
    for (const Param& param : to_params(cell.measure)) {
        json["measure"][param.name] = param.value;
    }
    return json;
}

RunPlan plan_matrix(const RunOptions& options) {
    RunPlan plan;
    plan.kind = options.design.kind;
    plan.cells = experiment::cells_of(options.step, options.measure, options.varies);
    return plan;
}

void check_program(const std::string& program) {
    std::error_code ignored;
    if (!program.empty()
        && (access(program.c_str(), X_OK) != 0
            || !std::filesystem::is_regular_file(program, ignored))) {
        throw UsageError(
            fmt::format("could not measure with {}: it is no program that can be run", program),
            "program=PATH names another kvprof binary"
        );
    }
}

/// Settles what is left to choose in a cell. @throws Error when its options do not fit.
void settle(const RunOptions& options, experiment::Cell& cell) {
    check_options(cell.step, cell.measure);
    check_program(cell.program);
    cell.measure.passes = canonical_passes(cell.measure);
    // What a child could not be told is refused before any run.
    static_cast<void>(experiment::format_assignment({cell.step, cell.measure, Pass::timing}));
    if (options.is_single_process && names_passes(cell.measure)) {
        throw UsageError(
            fmt::format(
                "could not plan --passes {} with --single-process: each pass is a process",
                cell.measure.passes
            ),
            "leave one of them out"
        );
    }
    if (options.is_single_process && !cell.program.empty()) {
        throw UsageError(
            "could not measure with another program in this process",
            "leave out --single-process, or program="
        );
    }
}

/// Of a matrix the cells that do not fit become rows with their reason; two sides need each other.
void check_cells(const RunOptions& options, RunPlan& plan) {
    std::exception_ptr first;
    for (experiment::Cell& cell : plan.cells) {
        cell.measure.executor = resolve(cell.measure.executor);
        auto& why = plan.impossible.emplace_back();
        try {
            settle(options, cell);
        } catch (const Error& error) {
            why = error.what();
            first = first ? first : std::current_exception();
        }
    }
    const auto is_impossible = [](const auto& why) { return why.has_value(); };
    const bool is_hopeless =
        std::all_of(plan.impossible.begin(), plan.impossible.end(), is_impossible);
    if (first && (is_hopeless || plan.kind != ExperimentKind::matrix)) {
        std::rethrow_exception(first);
    }
}

std::int64_t runs_of(const RunOptions& options) {
    if (options.design.kind == ExperimentKind::calibration) {
        return options.design.runs > 0 ? options.design.runs : kRunsOfCalibration;
    }
    return options.repeats;
}

void check_number(const RunOptions& options, const RunPlan& plan) {
    constexpr std::int64_t kMostRuns = 100'000;
    const std::int64_t each =
        plan.ab ? std::max<std::int64_t>(options.design.runs, kRunsOfAb) : runs_of(options);
    if (std::ssize(plan.cells) * each > kMostRuns) {
        throw UsageError(
            fmt::format(
                "could not lay out the matrix: {} variants x {} repeats are over {} runs",
                plan.cells.size(),
                each,
                kMostRuns
            ),
            "lower --repeats or --runs, or vary fewer fields at a time"
        );
    }
}

} // namespace

RunPlan plan_runs(const RunOptions& options) {
    RunPlan plan =
        options.design.kind == ExperimentKind::ab ? plan_sides(options) : plan_matrix(options);
    check_cells(options, plan);
    check_number(options, plan);
    if (plan.ab) {
        require_equal_pools(options, plan);
        order_sides(options, plan);
    } else {
        plan.order = experiment::interleave(plan.cells.size(), runs_of(options));
    }
    if (plan.kind == ExperimentKind::calibration) {
        plan.replacements = 2 * std::ssize(plan.order);
    }
    return plan;
}

std::string plan_text(const RunPlan& plan) {
    std::string text =
        fmt::format("{} runs of {} variants\n", plan.order.size(), plan.cells.size());
    for (std::size_t i = 0; i < plan.order.size(); ++i) {
        const experiment::Slot& slot = plan.order[i];
        const auto& why = plan.impossible[slot.cell];
        text += fmt::format(
            "{:>5}  {}  (repeat {}){}\n",
            i + 1,
            name_of(plan.cells[slot.cell]),
            slot.repeat,
            why ? fmt::format("  not-run: {}", *why) : std::string()
        );
    }
    return text;
}

std::string plan_json(const RunPlan& plan) {
    nlohmann::json json{{"schema", "kvprof.plan/1"}, {"runs", nlohmann::json::array()}};
    for (std::size_t i = 0; i < plan.order.size(); ++i) {
        const experiment::Slot& slot = plan.order[i];
        nlohmann::json run = params_json(plan.cells[slot.cell]);
        run["position"] = i;
        run["variant"] = plan.cells[slot.cell].variant;
        run["repeat"] = slot.repeat;
        if (slot.ab) {
            run["side"] = to_string(slot.ab->side);
            run["block"] = slot.ab->block;
        }
        const auto& why = plan.impossible[slot.cell];
        run["not_run"] = why ? nlohmann::json(*why) : nlohmann::json();
        json["runs"].push_back(std::move(run));
    }
    if (plan.ab) {
        json["seed"] = plan.ab->seed;
        json["treatment"] = plan.ab->treatment;
    }
    // A file name may hold bytes that are no UTF-8; they may not end the program.
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace kvprof::cli
