#include "cli/plan_outlook.h"

#include "capture/executor_factory.h"
#include "capture/experiment/ab_order.h"
#include "cli/judging.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace kvprof::cli {

namespace {

/// Without a calibration: what an undisturbed data-center card shows between processes.
constexpr double kAssumedSigma = 0.002;
/// Starting a process, generating and verifying a step.
constexpr double kStartSeconds = 1.0;
/// The least that warm-up and measuring take.
constexpr double kWarmUpSeconds = 0.5;
constexpr double kMeasureSeconds = 0.5;

std::size_t runs_a_side(const RunPlan& plan) {
    return static_cast<std::size_t>(plan.ab->runs);
}

/// The calibrated noise of the step's time in the first case; null without one. The device is not
/// opened for a plan: the newest calibration of the step counts, whatever it ran on.
const analyzers::MetricNoise*
known_noise(const RunPlan& plan, const std::vector<analyzers::Calibration>& calibrations) {
    const experiment::Cell& cell = plan.cells.front();
    for (const analyzers::Calibration& one : calibrations) {
        if (one.step == cell.step && one.measure.op == cell.measure.op
            && one.measure.l2 == cell.measure.l2 && one.measure.executor == cell.measure.executor) {
            return analyzers::noise_of(
                one, cell.measure.op.empty() ? "step.gpu_time" : "op.gpu_time"
            );
        }
    }
    return nullptr;
}

std::string side_text(const std::string& text) {
    return text.empty() ? "(as given)" : text;
}

std::string letters(const RunPlan& plan) {
    std::vector<experiment::AbSlot> order;
    for (const experiment::Slot& slot : plan.order) {
        order.push_back({slot.cell / 2, *slot.ab});
    }
    return experiment::letters_of(order);
}

std::string outlook_text(const RunPlan& plan, const Outlook& outlook) {
    std::string text = fmt::format(
        "{} runs: {} a side{}, seed {}\n  order: {}\n  A: {}\n  B: {}\n",
        plan.order.size(),
        plan.ab->runs,
        plan.cases.size() > 1 ? fmt::format(" in each of {} cases", plan.cases.size()) : "",
        plan.ab->seed,
        letters(plan),
        side_text(plan.ab->a),
        side_text(plan.ab->b)
    );
    text += fmt::format(
        "  takes {:.1f} to {:.1f} minutes, and more for each run that is void\n",
        outlook.duration.least_minutes,
        outlook.duration.most_minutes
    );
    if (!outlook.detectable) {
        return text + "  sees no change of a time: that takes 4 runs a side\n";
    }
    return text
           + fmt::format(
               "  would see {:.2f} % of the step's time (power 80 %), {} {:.3f} %{}\n",
               *outlook.detectable * 100.0,
               outlook.is_calibrated ? "calibrated: runs vary by" : "if runs vary by",
               outlook.sigma * 100.0,
               outlook.is_calibrated ? "" : "; kvprof calibrate measures it"
           );
}

nlohmann::json timed_json(const RunPlan& plan) {
    const Duration duration = duration_of(plan);
    auto json = nlohmann::json::parse(plan_json(plan));
    json["minutes"] = {{"least", duration.least_minutes}, {"most", duration.most_minutes}};
    return json;
}

std::string timed_text(const RunPlan& plan) {
    const Duration duration = duration_of(plan);
    return plan_text(plan)
           + fmt::format(
               "  takes {:.1f} to {:.1f} minutes\n", duration.least_minutes, duration.most_minutes
           );
}

} // namespace

Duration duration_of(const RunPlan& plan) {
    Duration duration;
    for (const experiment::Slot& slot : plan.order) {
        if (plan.impossible[slot.cell]) {
            continue;
        }
        const MeasureSpec& how = plan.cells[slot.cell].measure;
        duration.least_minutes += kStartSeconds + std::min(kWarmUpSeconds, how.warmup_max_s)
                                  + std::min(kMeasureSeconds, how.run_time_s);
        duration.most_minutes += kStartSeconds + how.warmup_max_s + how.run_time_s;
    }
    duration.least_minutes /= 60.0;
    duration.most_minutes /= 60.0;
    return duration;
}

Outlook outlook_of(const RunPlan& plan, const analyzers::MetricNoise* noise) {
    Outlook outlook;
    outlook.duration = duration_of(plan);
    outlook.is_calibrated = noise != nullptr;
    outlook.sigma = noise == nullptr ? kAssumedSigma : noise->sigma;
    outlook.detectable = analyzers::detectable_with(runs_a_side(plan), outlook.sigma);
    return outlook;
}

std::string
dry_run(const RunOptions& options, const RunPlan& plan, const std::filesystem::path& store) {
    const Format format = options.common.format;
    if (format != Format::text && format != Format::markdown && format != Format::json) {
        throw UsageError(
            fmt::format("could not print the plan as {}: it has text and json", to_string(format)),
            "leave --format out, or take it without --dry-run"
        );
    }
    const bool is_json = format == Format::json;
    if (plan.kind == ExperimentKind::tune) {
        return is_json ? timed_json(plan).dump(2) + "\n" : timed_text(plan);
    }
    if (plan.kind != ExperimentKind::ab) {
        return is_json ? plan_json(plan) : plan_text(plan);
    }
    const auto calibrations = calibrations_in(store, runs_a_side(plan));
    const Outlook outlook = outlook_of(plan, known_noise(plan, calibrations));
    if (!is_json) {
        return outlook_text(plan, outlook);
    }
    nlohmann::json json = timed_json(plan);
    json["order"] = letters(plan);
    json["would_see"] = outlook.detectable ? nlohmann::json(*outlook.detectable) : nlohmann::json();
    json["run_deviation"] = {{"value", outlook.sigma}, {"is_calibrated", outlook.is_calibrated}};
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace kvprof::cli
