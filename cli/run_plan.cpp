#include "cli/run_plan.h"

#include "capture/executor_factory.h"
#include "capture/experiment/spec_file.h"
#include "capture/host_facts.h"
#include "capture/measure.h"
#include "capture/model/error.h"
#include "capture/model/params.h"
#include "capture/nvml_api.h"
#include "capture/passes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
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

/// Bytes that buffers may take where the user names none; nothing when nobody knows.
std::optional<Bytes> usable_memory(const MeasureSpec& measure) {
    constexpr std::int64_t kPercent = 85; // contexts, graphs and copies take some
    if (resolve(measure.executor) != ExecutorKind::cuda) {
        const std::int64_t available = host_facts().memory_available_bytes;
        return available > 0 ? std::optional(Bytes{available * kPercent / 100}) : std::nullopt;
    }
    try {
        const std::vector<Gpu> devices = Nvml().devices();
        if (devices.empty()) {
            return std::nullopt;
        }
        // A device that is not there is refused when it is opened.
        const std::size_t last = devices.size() - 1;
        const Gpu& device = devices[std::min(static_cast<std::size_t>(measure.device), last)];
        return Bytes{device.total_bytes * kPercent / 100};
    } catch (const UnavailableError&) {
        return std::nullopt;
    }
}

std::optional<Bytes> memory_of(const RunOptions& options) {
    return options.design.memory ? options.design.memory : usable_memory(options.measure);
}

std::vector<experiment::Cell> system_cells(const RunOptions& options) {
    auto cells =
        experiment::cells_of_systems(options.step, options.measure, options.design.systems);
    if (const std::optional<Bytes> memory = memory_of(options)) {
        experiment::fit_into(*memory, cells);
    }
    return cells;
}

/// A shape that does not fit is no smaller one: its rows say so.
std::vector<experiment::Cell> tuning_cells(const RunOptions& options) {
    auto cells = experiment::cells_of_tuning(options.step, options.measure, options.design.tuning);
    if (const std::optional<Bytes> memory = memory_of(options)) {
        experiment::refuse_beyond(*memory, cells);
    }
    return cells;
}

std::vector<experiment::Cell> cells_of_kind(const RunOptions& options) {
    if (options.design.kind == ExperimentKind::systems) {
        return system_cells(options);
    }
    return options.design.kind == ExperimentKind::tune
               ? tuning_cells(options)
               : experiment::cells_of(options.step, options.measure, options.varies);
}

RunPlan plan_matrix(const RunOptions& options) {
    RunPlan plan;
    plan.kind = options.design.kind;
    plan.cells = cells_of_kind(options);
    experiment::decide(plan.cells);
    return plan;
}

RunPlan plan_points(const RunOptions& options) {
    RunPlan plan = plan_sweep(options);
    if (const std::optional<Bytes> memory = memory_of(options)) {
        experiment::refuse_beyond(*memory, plan.cells);
    }
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
    if (!cell.too_large.empty()) {
        throw UsageError(
            fmt::format("could not fit the step: {}", cell.too_large),
            "raise --memory, or take fewer or shorter lanes"
        );
    }
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

/// What a layout is called, and what to do when nothing in it can run.
struct LayoutWords {
    const char* name;
    const char* remedy;
};

LayoutWords words_of(ExperimentKind kind) {
    if (kind == ExperimentKind::tune) {
        return {"tuning", "name shapes that fit with --shape, or raise what refuses"};
    }
    if (kind == ExperimentKind::sweep) {
        return {"sweep", "name points that fit with --axis, or raise what refuses"};
    }
    return {
        "matrix",
        "kvprof run --help-backends lists what each backend reads, and --help-presets the models"};
}

/// Of a matrix with no row that can run: each reason once, with its rows.
[[noreturn]] void refuse_all(const RunPlan& plan, const std::exception_ptr& first) {
    constexpr std::size_t kMostNamed = 4;
    std::map<std::string, std::int64_t> rows;
    for (const auto& why : plan.impossible) {
        ++rows[why.value_or(std::string())];
    }
    if (rows.size() == 1) {
        std::rethrow_exception(first);
    }
    std::string causes;
    std::size_t named = 0;
    for (const auto& [why, count] : rows) {
        if (named++ < kMostNamed) {
            causes += fmt::format("\n  {} of them: {}", count, why);
        }
    }
    if (rows.size() > kMostNamed) {
        causes += fmt::format("\n  and {} more reasons", rows.size() - kMostNamed);
    }
    throw UsageError(
        fmt::format(
            "could not lay out the {}: none of its {} variants can run:{}",
            words_of(plan.kind).name,
            plan.cells.size(),
            causes
        ),
        words_of(plan.kind).remedy
    );
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
    const bool needs_all =
        plan.kind == ExperimentKind::ab || plan.kind == ExperimentKind::calibration;
    if (first && needs_all) {
        std::rethrow_exception(first);
    }
    if (first && is_hopeless) {
        refuse_all(plan, first);
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
    const std::int64_t each = plan.kind == ExperimentKind::ab
                                  ? std::max<std::int64_t>(options.design.runs, kRunsOfAb)
                                  : runs_of(options);
    if (std::ssize(plan.cells) * each > kMostRuns) {
        throw UsageError(
            fmt::format(
                "could not lay out the {}: {} variants x {} repeats are over {} runs",
                words_of(plan.kind).name,
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
    const ExperimentKind kind = options.design.kind;
    RunPlan plan = kind == ExperimentKind::ab      ? plan_sides(options)
                   : kind == ExperimentKind::sweep ? plan_points(options)
                                                   : plan_matrix(options);
    check_cells(options, plan);
    check_number(options, plan);
    if (kind == ExperimentKind::ab) {
        require_equal_pools(options, plan);
        order_sides(options, plan);
    } else if (kind == ExperimentKind::sweep) {
        order_points(options, plan);
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
        const auto& notes = plan.cells[slot.cell].notes;
        text += fmt::format(
            "{:>5}  {}  (repeat {}){}{}\n",
            i + 1,
            name_of(plan.cells[slot.cell]),
            slot.repeat,
            why ? fmt::format("  not-run: {}", *why) : std::string(),
            notes.empty() || why ? std::string() : fmt::format("  {}", fmt::join(notes, "; "))
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
        run["notes"] = plan.cells[slot.cell].notes;
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
