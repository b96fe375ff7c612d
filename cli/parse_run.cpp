#include "cli/parse_run.h"

#include "capture/model/plain_text.h"
#include "capture/model/units.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvprof::cli {

namespace {

constexpr const char* kExperiment = "Experiment";
constexpr const char* kJudging = "Judging";
constexpr std::int64_t kMostRepeats = 10'000;

/// @throws UsageError when it is no field of a step or a measurement, nor a fact of a run.
void check_field(std::string_view option, const std::string& name) {
    std::vector<std::string_view> names{
        "program", "pool.schedulable-tokens", "pool.state-slots", "profile.graphs"};
    std::vector<Param> params = to_params(StepSpec{});
    for (const std::vector<Param>& more : {to_params(MeasureSpec{}), to_params(Environment{})}) {
        params.insert(params.end(), more.begin(), more.end());
    }
    for (const Param& param : params) {
        names.emplace_back(param.name);
    }
    if (std::find(names.begin(), names.end(), name) == names.end()) {
        const std::string_view near = nearest(name, names);
        throw UsageError(
            fmt::format("could not read {}: \"{}\" is no field of a run", option, name),
            near.empty() ? "kvprof show REF --json lists the fields"
                         : fmt::format("did you mean \"{}\"?", near)
        );
    }
}

std::int64_t read_runs(const std::string& text) {
    const std::int64_t runs = parse_count(text, "--runs");
    if (runs < 1 || runs > kMostRepeats) {
        throw UsageError(fmt::format("could not read --runs: {} is outside 1 to 10,000", text));
    }
    return runs;
}

} // namespace

void JudgeTexts::add_policy_to(CLI::App& verb) {
    verb.add_option(
            "--policy", policy, "what counts as a change (default: the nearest kvprof.toml)"
    )
        ->type_name("FILE")
        ->group(kJudging);
}

void JudgeTexts::add_to(CLI::App& verb) {
    add_policy_to(verb);
    verb.add_option("--treatment", treatment, "a field that differs on purpose; repeatable")
        ->take_all()
        ->allow_extra_args(false)
        ->type_name("FIELD")
        ->group(kJudging);
    verb.add_option(
            "--allow-mismatch",
            allowed_mismatch,
            "compare although this field differs, and say so; repeatable"
    )
        ->take_all()
        ->allow_extra_args(false)
        ->type_name("FIELD")
        ->group(kJudging);
    verb.add_flag("--strict-env", is_strict_env, "drivers, machines and settings must be equal too")
        ->group(kJudging);
    verb.add_flag("--unpaired", is_unpaired, "test as if the runs had not been paired")
        ->group(kJudging);
}

JudgeOptions JudgeTexts::read() const {
    JudgeOptions options;
    if (!policy.empty()) {
        options.policy = policy;
    }
    options.treatment = treatment;
    options.allowed_mismatch = allowed_mismatch;
    for (const std::string& name : treatment) {
        check_field("--treatment", name);
    }
    for (const std::string& name : allowed_mismatch) {
        check_field("--allow-mismatch", name);
    }
    options.is_strict_env = is_strict_env;
    options.is_unpaired = is_unpaired;
    return options;
}

void RunTexts::add_step_to(CLI::App& verb) {
    add_fields(verb, StepSpec{}, step_);
    add_fields(verb, MeasureSpec{}, measure_);
    verb.add_option("--label", label_, "name of the experiment in the store")
        ->type_name("TEXT")
        ->group(kExperiment);
    verb.add_option("--timeout", timeout_, "seconds after which a run is given up")
        ->type_name("X")
        ->group(kExperiment);
}

void RunTexts::add_dry_run_to(CLI::App& verb) {
    verb.add_flag("--dry-run", is_dry_, "print the runs in their order and measure nothing")
        ->group(kExperiment);
}

void RunTexts::add_cells_to(CLI::App& verb) {
    verb.add_option("--vary", varies_, "measure each of several values of a field; repeatable")
        ->take_all()
        ->allow_extra_args(false)
        ->type_name("FIELD=A,B")
        ->group(kExperiment);
    verb.add_flag(
            "--single-process", is_single_process_, "measure in this process: quick, and noted"
    )
        ->group(kExperiment);
}

void RunTexts::add_repeats_to(CLI::App& verb) {
    verb.add_option("--repeats", repeats_, "runs of each variant, in an order that evens out drift")
        ->type_name("N")
        ->default_str("1")
        ->group(kExperiment);
}

void RunTexts::add_matrix_to(CLI::App& verb) {
    add_repeats_to(verb);
    verb.add_flag("--help-presets", lists_presets_, "list the built-in model shapes")
        ->group(kExperiment);
    verb.add_flag("--help-backends", lists_backends_, "list the built-in attention backends")
        ->group(kExperiment);
}

void RunTexts::add_runs_to(CLI::App& verb) {
    verb.add_option("--runs", runs_, "runs a side: an even number, or auto: 8 to 16, until decided")
        ->type_name("N|auto")
        ->group(kExperiment);
    add_order_to(verb);
}

void RunTexts::add_number_to(CLI::App& verb) {
    verb.add_option("--runs", runs_, "identical runs, 10 at least (default: 12)")
        ->type_name("N")
        ->group(kExperiment);
}

void RunTexts::add_order_to(CLI::App& verb) {
    verb.add_option("--order-seed", order_seed_, "seed of the order (default: drawn, and stored)")
        ->type_name("N")
        ->group(kExperiment);
}

void RunTexts::add_sides_to(CLI::App& verb, const std::string& doc) {
    ab_.push_back(verb.add_option("--ab", sides_, doc)
                      ->expected(0, 2)
                      ->take_all()
                      ->type_name("SIDES")
                      ->group(kExperiment));
}

void RunTexts::add_ab_to(CLI::App& verb) {
    add_sides_to(
        verb,
        "two sides in alternation, each FIELD=VALUE,... or a TOML file of options, \"\" for none; "
        "without them the first --vary names both"
    );
    add_runs_to(verb);
}

bool RunTexts::gives(std::string_view field) const {
    const auto is_given = [&](const FieldText& one) {
        return one.name == field && one.option->count() > 0;
    };
    return std::any_of(step_.begin(), step_.end(), is_given)
           || std::any_of(measure_.begin(), measure_.end(), is_given);
}

bool RunTexts::is_ab() const {
    return std::any_of(ab_.begin(), ab_.end(), [](const CLI::Option* option) {
        return option->count() > 0 || !option->results().empty();
    });
}

DesignOptions RunTexts::design() const {
    DesignOptions options;
    if (is_ab()) {
        options.kind = ExperimentKind::ab;
        const bool is_bare = sides_.empty() || (sides_.size() == 1 && sides_.front().empty());
        if (!is_bare && sides_.size() != 2) {
            throw UsageError(
                sides_.size() == 1
                    ? fmt::format("could not read --ab: {} is one side alone", sides_.front())
                    : fmt::format("could not read --ab: {} sides are too many", sides_.size()),
                "name two, as in --ab index-mode=rectangle index-mode=stream; \"\" changes nothing"
            );
        }
        if (!is_bare) {
            std::transform(
                sides_.begin(),
                sides_.end(),
                std::back_inserter(options.sides),
                experiment::parse_option_set
            );
        }
    }
    if (runs_ == "auto") {
        options.has_looks = true;
    } else if (!runs_.empty()) {
        options.runs = read_runs(runs_);
    }
    if (!order_seed_.empty()) {
        options.order_seed = parse_count(order_seed_, "--order-seed");
    }
    return options;
}

RunOptions RunTexts::read() const {
    RunOptions options;
    read_fields(step_, options.step);
    read_fields(measure_, options.measure);
    std::transform(
        varies_.begin(), varies_.end(), std::back_inserter(options.varies), experiment::parse_vary
    );
    options.design = design();
    options.repeats = parse_count(repeats_, "--repeats");
    if (options.repeats < 1 || options.repeats > kMostRepeats) {
        throw UsageError(
            fmt::format("could not read --repeats: {} is outside 1 to 10,000", options.repeats)
        );
    }
    if (!timeout_.empty()) {
        options.timeout_s = parse_real(timeout_, "--timeout");
        if (options.timeout_s <= 0.0 || options.timeout_s > 1e6) {
            throw UsageError(fmt::format(
                "could not read --timeout: {} s is not above 0 and up to 1,000,000 s", timeout_
            ));
        }
    }
    if (!is_plain_text(label_)) {
        throw UsageError("could not read --label: it is no UTF-8, has control characters, or is "
                         "over 200 bytes long");
    }
    options.label = label_;
    options.is_dry = is_dry_;
    options.is_single_process = is_single_process_;
    return options;
}

} // namespace kvprof::cli
