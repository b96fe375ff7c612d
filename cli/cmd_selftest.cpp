#include "analyzers/selftest.h"
#include "capture/model/error.h"
#include "capture/model/units.h"
#include "cli/commands.h"
#include "cli/experiment_run.h"
#include "cli/gate_run.h"
#include "cli/judging.h"
#include "cli/messages.h"
#include "cli/output.h"
#include "cli/stores.h"
#include "report/renderers.h"
#include "stats/median.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace kvprof::cli {

namespace {

using analyzers::SelftestRow;

/// One measured step: how long it takes, and which op can take a delay.
struct Pilot {
    double step_us = 0.0;
    std::string op;
};

std::string render(const std::vector<SelftestRow>& rows, const std::string& design, Format format) {
    if (format == Format::json) {
        return analyzers::selftest_json(rows, design);
    }
    const report::Document document = report::document_of(rows, design);
    return format == Format::markdown ? report::markdown(document) : report::text(document);
}

Pilot pilot_of(const Run& run) {
    std::vector<double> step_us;
    for (const Sample& sample : run.samples) {
        const double replays = static_cast<double>(std::max<std::int64_t>(sample.replays, 1));
        step_us.push_back(static_cast<double>(sample.gpu_time.count()) / replays / 1e3);
    }
    const auto op = std::find_if(run.ops.begin(), run.ops.end(), [](const OpStat& stat) {
        return stat.launches > 0;
    });
    if (op == run.ops.end()) {
        throw UnavailableError("could not test the gate: the step launches no kernel", {});
    }
    return {stats::median(std::move(step_us)), std::string(to_string(op->op))};
}

/// The options of one gate; `injected` of the step's time is added to B.
GateOptions gate_options(const SelftestOptions& options, double injected, const Pilot& pilot) {
    GateOptions gate;
    gate.run = options.run;
    gate.run.design.kind = ExperimentKind::ab;
    gate.run.design.sides.assign(2, experiment::OptionSet{});
    gate.run.label = injected > 0.0 ? fmt::format("selftest +{:g} %", injected * 100.0)
                                    : std::string("selftest A/A");
    if (injected > 0.0) {
        gate.run.design.sides[1] = experiment::parse_option_set(
            fmt::format("delay-op={},delay-us={:.3f}", pilot.op, injected * pilot.step_us)
        );
    }
    return gate;
}

/// The step's time alone is judged: an injected delay is a launch of its own as well.
analyzers::CompareOptions how_of(const SelftestOptions& options, double threshold) {
    // Without calibrations: what is tested is the bare rule, at the threshold that the row shows.
    analyzers::CompareOptions how = compare_options(recipe_of(options.run.judge));
    how.policy.primary = {"step_time"};
    how.policy.accepted.clear();
    std::erase_if(how.policy.rules, [](const analyzers::MetricRule& rule) {
        return rule.metric == "step_time";
    });
    how.policy.rules.push_back({"step_time", {threshold, std::nullopt, std::nullopt}, {}, 0});
    return how;
}

/// Half of the injection; both sides alike are held to half of the smallest one that is there.
double threshold_for(const SelftestOptions& options, double injected) {
    constexpr double kWithout = 0.02;
    double smallest = injected;
    for (const double one : options.injected) {
        if (injected <= 0.0 && one > 0.0 && (smallest <= 0.0 || one < smallest)) {
            smallest = one;
        }
    }
    return (smallest > 0.0 ? smallest : kWithout) / 2.0;
}

void count(SelftestRow& row, analyzers::Verdict verdict) {
    switch (verdict) {
    case analyzers::Verdict::regressed: ++row.regressed; break;
    case analyzers::Verdict::improved: ++row.improved; break;
    case analyzers::Verdict::same: ++row.same; break;
    case analyzers::Verdict::inconclusive:
    case analyzers::Verdict::not_comparable: ++row.inconclusive; break;
    }
}

/// What a row lacks of what is promised.
enum class Lack : std::uint8_t { nothing, decision, truth };

/// Of sides that are alike no gate may see a change, and at most one in twenty may be undecided; a
/// delay has to be found by nine gates in ten, and by none as an improvement.
Lack lack_of(const SelftestRow& row) {
    if (row.improved > 0 || (row.injected <= 0.0 && row.regressed > 0)) {
        return Lack::truth;
    }
    if (row.injected <= 0.0) {
        return row.inconclusive * 20 <= row.gates ? Lack::nothing : Lack::decision;
    }
    if (row.regressed * 10 >= row.gates * 9) {
        return Lack::nothing;
    }
    return row.same > 0 ? Lack::truth : Lack::decision;
}

ExitCode code_of_rows(const std::vector<SelftestRow>& rows) {
    ExitCode code = ExitCode::done;
    for (const SelftestRow& row : rows) {
        switch (lack_of(row)) {
        case Lack::nothing: break;
        case Lack::decision: code = worse(code, ExitCode::inconclusive); break;
        case Lack::truth: code = worse(code, ExitCode::difference); break;
        }
    }
    return code;
}

/// "8 + 8 runs a gate; a step takes 3.58 ms, delays are put into attention".
std::string design_text(const SelftestOptions& options, const Pilot& pilot, std::int64_t runs) {
    const std::int64_t a_side = options.run.design.runs > 0 ? options.run.design.runs : runs;
    return fmt::format(
        "{} runs a gate; a step takes {}, delays are put into {}",
        options.run.design.has_looks ? std::string("8 + 8 to 16 + 16")
                                     : fmt::format("{0} + {0}", a_side),
        format_duration_ns(pilot.step_us * 1e3),
        pilot.op
    );
}

/// A gate that could not be judged ends the test with its code; so does a signal.
struct Stopped {
    ExitCode code = ExitCode::done;
};

/// All gates of one injection.
std::variant<SelftestRow, Stopped>
test_gates(const SelftestOptions& options, double injected, const Pilot& pilot, db::Store& store) {
    SelftestRow row{};
    row.injected = injected;
    row.threshold = threshold_for(options, injected);
    const analyzers::CompareOptions how = how_of(options, row.threshold);
    GateOptions gate = gate_options(options, injected, pilot);
    row.what = gate.run.label;
    for (std::int64_t i = 0; i < options.gates; ++i) {
        if (options.run.design.order_seed) {
            gate.run.design.order_seed = *options.run.design.order_seed + i;
        }
        const GateAnswer answer = gate_now(gate, how, rules_of(gate), store);
        if (!answer.result) {
            return Stopped{answer.code};
        }
        if (worse(answer.result->code, ExitCode::difference) != ExitCode::difference) {
            say(fmt::format("kvprof: selftest: a gate said {}\n", answer.result->line));
            return Stopped{answer.result->code};
        }
        ++row.gates;
        count(row, answer.result->verdict);
    }
    row.holds = lack_of(row) == Lack::nothing;
    return row;
}

/// One run, to know how long a step takes.
std::variant<Pilot, Stopped> measure_pilot(const SelftestOptions& options, db::Store& store) {
    RunOptions run = options.run;
    run.design = {};
    run.measure.passes = "timing";
    run.label = "selftest pilot";
    const RunPlan plan = plan_runs(run);
    ExperimentRun running(run, plan, store);
    const ExitCode code = measure_interruptibly(run, running);
    const Experiment experiment = store.load_experiment(running.experiment());
    if (experiment.state == ExperimentState::interrupted) {
        say_interrupted(store, experiment, plan.order.size());
        return Stopped{code};
    }
    if (code != ExitCode::done) {
        say(fmt::format(
            "kvprof: could not test the gate: {}\n", experiment.runs.back().status.reason
        ));
        return Stopped{code};
    }
    return pilot_of(experiment.runs.back());
}

} // namespace

ExitCode run(const SelftestOptions& options) {
    if (!options.run.step.delay_op.empty() || options.run.step.delay_us > 0.0) {
        throw UsageError(
            "could not test the gate on a step that has a delay: selftest puts its own in",
            "leave out --delay-op and --delay-us"
        );
    }
    Output output(options.run.common);
    // A policy that can not be read is said before anything is measured.
    const analyzers::CompareOptions how = how_of(options, 0.01);
    // So is a number of runs that could decide nothing.
    static_cast<void>(
        plan_gate(gated_run(gate_options(options, 0.0, {}).run, how.policy), how.policy)
    );
    warn_of_host(options.run);
    db::Store store(store_path_of(options.run.common), db::OpenMode::create);
    const auto pilot = measure_pilot(options, store);
    if (const auto* const stopped = std::get_if<Stopped>(&pilot)) {
        return stopped->code;
    }
    std::vector<SelftestRow> rows;
    for (const double injected : options.injected) {
        const auto row = test_gates(options, injected, std::get<Pilot>(pilot), store);
        if (const auto* const stopped = std::get_if<Stopped>(&row)) {
            return stopped->code;
        }
        rows.push_back(std::get<SelftestRow>(row));
    }
    output.write(render(
        rows,
        design_text(options, std::get<Pilot>(pilot), how.policy.runs),
        options.run.common.format
    ));
    return code_of_rows(rows);
}

} // namespace kvprof::cli
