#include "analyzers/comparability.h"

#include "analyzers/profile_checks.h"
#include "analyzers/spec_diff.h"
#include "analyzers/validity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// The facts that follow from the executor; named once when the executor itself differs.
constexpr std::array<std::string_view, 17> kDeviceFacts{
    "device-name",
    "device-uuid",
    "compute-capability",
    "sm-count",
    "device-memory-bytes",
    "driver",
    "cuda-runtime",
    "cupti",
    "nvml",
    "mig",
    "ecc",
    "clock-state",
    "virtualization",
    "confidential-compute",
    "power-limit-mw",
    "sm-clock-max-mhz",
    "memory-clock-max-mhz"};

/// What a device is and how it is set, and what a stored time means: no time of one is a time of
/// the other. The rest of the facts can change a time and need not.
constexpr std::array<std::string_view, 8> kHardFacts{
    "device-name",
    "device-uuid",
    "compute-capability",
    "sm-count",
    "device-memory-bytes",
    "mig",
    "clock-state",
    "method"};

/// Fields of the measurement that change what is measured.
constexpr std::array<std::string_view, 5> kHardMeasure{
    "op", "op-launches", "l2", "executor", "cached-block"};

/// What another program makes differ.
constexpr std::array<std::string_view, 3> kProgram{"binary", "build", "git-revision"};

/// Numbers of the device that are 0 where they are not known.
constexpr std::array<std::string_view, 3> kOptionalNumbers{
    "power-limit-mw", "sm-clock-max-mhz", "memory-clock-max-mhz"};

template<typename Names>
bool is_one_of(const Names& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

using Values = std::vector<std::string>;

void add_distinct(Values& values, std::string value) {
    if (!is_one_of(values, value)) {
        values.push_back(std::move(value));
    }
}

template<typename Value>
Values values_over(const Side& side, Value&& value) {
    Values values;
    for (const Run& run : side.runs) {
        add_distinct(values, value(run));
    }
    return values;
}

/// Whether the runs of both sides together agree on one value; a side without values agrees.
bool is_same(const Values& base, const Values& candidate) {
    return base.empty() || candidate.empty() || (base.size() == 1 && base == candidate);
}

std::string change_text(const Values& base, const Values& candidate) {
    return fmt::format("{} -> {}", fmt::join(base, ", "), fmt::join(candidate, ", "));
}

/// Collects what differs, by what was declared of it.
class Differences {
  public:
    explicit Differences(const Declared& declared)
        : declared_(declared) {}

    /// @param change "8 -> 64" @param hint added to the text of what blocks
    void add(Severity severity, std::string_view field, const std::string& change, bool is_option) {
        const std::string name(field);
        if (is_one_of(declared_.treatment, name)) {
            add_distinct(found_.treatment, name);
        } else if (is_one_of(declared_.allowed_mismatch, name)) {
            add_distinct(
                found_.stamps, fmt::format("compared although {} differs: {}", name, change)
            );
        } else {
            std::string text = fmt::format("{}: {}", name, change);
            if (severity == Severity::blocks && is_option) {
                text += fmt::format(" (declare it with --treatment {})", name);
            }
            found_.concerns.push_back({severity, name, std::move(text)});
        }
    }

    void add_treatment(std::string field) { add_distinct(found_.treatment, std::move(field)); }

    /// One whose text is made: of a field that may differ it is a stamp.
    void add_concern_or_stamp(Concern concern) {
        if (is_one_of(declared_.allowed_mismatch, concern.field)) {
            add_distinct(found_.stamps, "compared although it differs: " + concern.text);
        } else {
            add(std::move(concern));
        }
    }

    void add(Concern concern) { found_.concerns.push_back(std::move(concern)); }

    [[nodiscard]] bool has(std::string_view field) const {
        const auto is_it = [field](const Concern& concern) { return concern.field == field; };
        return std::any_of(found_.concerns.begin(), found_.concerns.end(), is_it)
               || is_one_of(found_.treatment, field);
    }

    [[nodiscard]] const Declared& declared() const { return declared_; }

    [[nodiscard]] Comparability take() && {
        std::stable_sort(
            found_.concerns.begin(),
            found_.concerns.end(),
            [](const Concern& a, const Concern& b) { return a.severity < b.severity; }
        );
        return std::move(found_);
    }

  private:
    const Declared& declared_;
    Comparability found_;
};

using Sides = std::pair<const Side&, const Side&>;

std::vector<SpecChange> spec_changes(const Sides& sides) {
    return changes_between(
        params_of(sides.first.step, sides.first.measure),
        params_of(sides.second.step, sides.second.measure)
    );
}

void check_runs(const Side& side, std::string_view role, Differences& found) {
    if (!side.runs.empty()) {
        return;
    }
    found.add(
        {Severity::blocks,
         "runs",
         fmt::format("runs: the {} has no complete run{}", role, why_excluded(side))}
    );
}

void check_options(const std::vector<SpecChange>& changes, Differences& found) {
    const std::vector<Param> measure = to_params(MeasureSpec{});
    for (const SpecChange& change : changes) {
        const bool is_measure =
            std::any_of(measure.begin(), measure.end(), [&](const Param& param) {
                return param.name == change.name;
            });
        if (is_measure && !is_one_of(kHardMeasure, change.name)) {
            // Which device, by its ordinal; what the scripted executor plays.
            if (is_one_of(found.declared().treatment, change.name)) {
                found.add_treatment(change.name);
            }
            continue;
        }
        const bool is_op = change.name == "op";
        const auto shown = [is_op](const std::string& value) {
            return is_op && value.empty() ? std::string("(the whole step)") : value;
        };
        found.add(
            Severity::blocks,
            change.name,
            fmt::format("{} -> {}", shown(change.base), shown(change.candidate)),
            true
        );
    }
    if (changes.size() > 1) {
        Values names;
        for (const SpecChange& change : changes) {
            names.push_back(change.name);
        }
        found.add(
            {Severity::warns,
             "treatment",
             fmt::format(
                 "treatment: {} fields differ ({}), so no difference has one cause",
                 changes.size(),
                 fmt::join(names, ", ")
             )}
        );
    }
}

template<typename Value>
void check_equal(const Sides& sides, const char* field, Differences& found, Value&& value) {
    const Values base = values_over(sides.first, value);
    const Values candidate = values_over(sides.second, value);
    if (!is_same(base, candidate)) {
        found.add(Severity::blocks, field, change_text(base, candidate), true);
    }
}

void check_pools(const Sides& sides, Differences& found) {
    check_equal(sides, "pool.schedulable-tokens", found, [](const Run& run) {
        return fmt::format("{}", run.pool.schedulable_tokens);
    });
    check_equal(sides, "pool.state-slots", found, [](const Run& run) {
        return fmt::format("{}", run.pool.state_slots);
    });
}

/// The facts of each run of a side as text.
using Facts = std::vector<std::vector<Param>>;

Facts facts_of(const Side& side) {
    Facts facts;
    for (const Run& run : side.runs) {
        facts.push_back(to_params(run.environment));
    }
    return facts;
}

/// The values of one fact over the runs of a side; runs that do not know it say nothing.
Values known_values(const Facts& facts, std::size_t fact) {
    Values values;
    for (const std::vector<Param>& run : facts) {
        const auto& [name, value] = run[fact];
        if (name == "method") {
            add_distinct(values, value.empty() ? "1" : value); // older programs had no word for it
        } else if (name == "variables") {
            add_distinct(values, value.empty() ? "(none)" : value); // empty says that none was set
        } else if (!value.empty() && !(value == "0" && is_one_of(kOptionalNumbers, name))) {
            add_distinct(values, value);
        }
    }
    return values;
}

bool is_silent(const Values& values) {
    return std::any_of(values.begin(), values.end(), [](const std::string& value) {
        return value.starts_with("unavailable: ");
    });
}

/// What holds for all facts of a pair.
struct FactRules {
    bool is_host = false;
    bool is_same_executor = true;
    bool compares_programs = false;  ///< another program is the treatment
    bool compares_revisions = false; ///< no option differs: the revision is what is compared
    bool is_another_time = false;    ///< so it is another boot, and may be another device
};

/// The machine is the device under the host executor: its processor says which product, its name
/// which one of them.
bool is_hard_on_host(std::string_view fact, const FactRules& rules) {
    return fact == "cpu-model" || (fact == "hostname" && !rules.is_another_time);
}

bool is_skipped(std::string_view fact, const FactRules& rules) {
    // Free memory moves by itself; the pool's size shows what it led to.
    return fact == "device-free-bytes" || fact == "executor"
           || (fact == "git-revision" && rules.compares_revisions)
           || (fact == "boot" && rules.is_another_time)
           || (rules.compares_programs && is_one_of(kProgram, fact))
           || (!rules.is_same_executor && is_one_of(kDeviceFacts, fact));
}

Severity severity_of(
    std::string_view fact, const Values& base, const Values& candidate, const FactRules& rules
) {
    // That NVML was silent once does not make the settings another's.
    const bool is_setting = fact == "mig" || fact == "clock-state";
    if (is_setting && (is_silent(base) || is_silent(candidate))) {
        return Severity::warns;
    }
    if (fact == "device-uuid" && rules.is_another_time) {
        return Severity::warns; // a fleet of one product; another product blocks by its name
    }
    const bool is_hard =
        is_one_of(kHardFacts, fact) || (rules.is_host && is_hard_on_host(fact, rules));
    return is_hard ? Severity::blocks : Severity::warns;
}

void check_facts(const Sides& sides, const FactRules& rules, Differences& found) {
    const Facts first = facts_of(sides.first);
    const Facts second = facts_of(sides.second);
    const std::vector<Param> names = to_params(Environment{});
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string& fact = names[i].name;
        if (is_skipped(fact, rules)) {
            continue;
        }
        const Values base = known_values(first, i);
        const Values candidate = known_values(second, i);
        if (is_same(base, candidate)) {
            continue;
        }
        const Severity severity = found.declared().is_strict_env
                                      ? Severity::blocks
                                      : severity_of(fact, base, candidate, rules);
        found.add(severity, fact, change_text(base, candidate), false);
    }
}

void check_environment(const Sides& sides, bool has_changes, Differences& found) {
    const auto executor = [](const Run& run) { return run.environment.executor; };
    const Values base = values_over(sides.first, executor);
    const Values candidate = values_over(sides.second, executor);
    FactRules rules;
    rules.is_same_executor = is_same(base, candidate);
    if (!rules.is_same_executor && !found.has("executor")) {
        found.add(Severity::blocks, "executor", change_text(base, candidate), true);
    }
    rules.is_host = sides.first.measure.executor == ExecutorKind::host || is_one_of(base, "host");
    rules.compares_programs = is_one_of(found.declared().treatment, "program");
    const auto binary = [](const Run& run) { return run.environment.binary; };
    if (rules.compares_programs
        && !is_same(values_over(sides.first, binary), values_over(sides.second, binary))) {
        found.add_treatment("program");
    }
    rules.compares_revisions = !has_changes;
    rules.is_another_time = found.declared().is_stored_baseline;
    check_facts(sides, rules, found);
}

} // namespace

Comparability comparability(const Side& base, const Side& candidate, const Declared& declared) {
    const Sides sides{base, candidate};
    Differences found(declared);
    check_runs(base, "base", found);
    check_runs(candidate, "candidate", found);
    const std::vector<SpecChange> changes = spec_changes(sides);
    check_options(changes, found);
    check_pools(sides, found);
    check_environment(sides, !changes.empty(), found);
    for (Concern& concern : profile_concerns(base, candidate)) {
        found.add_concern_or_stamp(std::move(concern));
    }
    for (Concern& concern : disturbances(base, candidate)) {
        found.add(std::move(concern));
    }
    return std::move(found).take();
}

} // namespace kvprof::analyzers
