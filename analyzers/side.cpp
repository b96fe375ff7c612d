#include "analyzers/side.h"

#include "analyzers/spec_diff.h"
#include "capture/model/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

namespace kvprof::analyzers {

namespace {

void add_run(Side& side, const Run& run) {
    if (run.status.state == RunState::complete) {
        side.runs.push_back(run);
    } else {
        side.excluded.push_back({run.uuid, run.variant, run.status.state, run.status.reason});
    }
}

Side empty_side(std::string label, const Run& run) {
    return {
        .label = std::move(label),
        .step = run.step,
        .measure = run.measure,
        .runs = {},
        .excluded = {}};
}

/// Whether a run is of the side's specification, however it was watched.
bool is_alike(const Side& side, const Run& run) {
    return side.step == run.step
           && (side.measure == run.measure
               || changes_between(to_params(side.measure), to_params(run.measure)).empty());
}

/// "index-mode: rectangle, stream; batch: 8, 64"
std::string describe_values(const std::vector<Run>& runs, const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        std::vector<std::string> values;
        for (const Run& run : runs) {
            std::string value = value_of(params_of(run), name);
            if (std::find(values.begin(), values.end(), value) == values.end()) {
                values.push_back(std::move(value));
            }
        }
        text += fmt::format("{}{}:", text.empty() ? "" : "; ", name);
        for (std::size_t i = 0; i < values.size(); ++i) {
            text += fmt::format("{} {}", i == 0 ? "" : ",", values[i]);
        }
    }
    return text;
}

/// "before/batch=8,index-mode=stream"; a label that names values already gets more of them.
std::string
reference_to(const std::string& label, const Run& run, const std::vector<std::string>& names) {
    std::string values;
    for (const std::string& name : names) {
        values +=
            fmt::format("{}{}={}", values.empty() ? "" : ",", name, value_of(params_of(run), name));
    }
    const bool has_values = label.find('=') != std::string::npos;
    return fmt::format("{}{}{}", label, has_values ? "," : "/", values);
}

/// Fields that tell cases apart.
std::vector<std::string> case_fields(const std::vector<Run>& runs, const AbDesign& design) {
    std::vector<std::string> fields = varying_fields(runs);
    std::erase_if(fields, [&](const std::string& field) {
        const auto& treatment = design.treatment;
        return is_about_watching(field)
               || std::find(treatment.begin(), treatment.end(), field) != treatment.end();
    });
    return fields;
}

/// "A (index-mode=rectangle)"
std::string side_label(const char* letter, const std::string& options) {
    return fmt::format("{} ({})", letter, options.empty() ? "as given" : options);
}

/// The runs of one case.
struct CaseRuns {
    std::string cell;
    std::vector<const Run*> a;
    std::vector<const Run*> b;
};

std::vector<CaseRuns> runs_by_case(const Experiment& experiment) {
    const std::vector<std::string> fields = case_fields(experiment.runs, *experiment.ab);
    std::vector<CaseRuns> cases;
    for (const Run& run : experiment.runs) {
        if (!run.ab) {
            continue;
        }
        const std::string cell = describe_fields(params_of(run), fields);
        auto found = std::find_if(cases.begin(), cases.end(), [&](const CaseRuns& known) {
            return known.cell == cell;
        });
        if (found == cases.end()) {
            found = cases.insert(cases.end(), {cell, {}, {}});
        }
        (run.ab->side == AbSide::a ? found->a : found->b).push_back(&run);
    }
    return cases;
}

/// @param other whose specification stands in for that of a side without runs
Side ab_side(
    std::string label, std::vector<const Run*> runs, const std::vector<const Run*>& other
) {
    std::stable_sort(runs.begin(), runs.end(), [](const Run* one, const Run* two) {
        return one->ab->pair() < two->ab->pair();
    });
    Side side = empty_side(std::move(label), runs.empty() ? *other.front() : *runs.front());
    for (const Run* run : runs) {
        add_run(side, *run);
    }
    return side;
}

} // namespace

std::string why_excluded(const Side& side) {
    std::vector<std::pair<std::string, std::size_t>> reasons;
    for (const ExcludedRun& run : side.excluded) {
        std::string reason = fmt::format("{}: {}", to_string(run.state), run.reason);
        const auto known = std::find_if(reasons.begin(), reasons.end(), [&](const auto& one) {
            return one.first == reason;
        });
        if (known == reasons.end()) {
            reasons.emplace_back(std::move(reason), 1);
        } else {
            ++known->second;
        }
    }
    std::string words;
    for (const auto& [reason, runs] : reasons) {
        words += "; " + reason + (runs == 1 ? std::string() : fmt::format(" ({} runs)", runs));
    }
    return words;
}

Side side_of(std::string label, const std::vector<Run>& runs) {
    if (runs.empty()) {
        throw UsageError(
            fmt::format("could not compare \"{}\": it holds no run", label),
            "choose an experiment with runs: kvprof ls"
        );
    }
    std::vector<std::string> varying = varying_fields(runs);
    std::erase_if(varying, is_about_watching);
    if (!varying.empty()) {
        throw UsageError(
            fmt::format(
                "could not compare \"{}\" as one side: its runs differ in {}",
                label,
                describe_values(runs, varying)
            ),
            fmt::format(
                "choose one variant by all of these, as in {}; or compare its variants with each "
                "other",
                reference_to(label, runs.front(), varying)
            )
        );
    }
    Side side = empty_side(std::move(label), runs.front());
    for (const Run& run : runs) {
        add_run(side, run);
    }
    return side;
}

std::vector<Side> sides_of(const std::vector<Run>& runs) {
    std::vector<Side> sides;
    for (const Run& run : runs) {
        auto side = std::find_if(sides.begin(), sides.end(), [&](const Side& candidate) {
            return is_alike(candidate, run);
        });
        if (side == sides.end()) {
            sides.push_back(empty_side(run.variant, run));
            side = std::prev(sides.end());
        }
        add_run(*side, run);
    }
    return sides;
}

std::vector<Case> cases_of(const Experiment& experiment) {
    if (!experiment.ab) {
        throw UsageError(
            "could not compare the sides of an experiment: it has no sides",
            "measure two sides in alternation: kvprof run --ab A B"
        );
    }
    std::vector<Case> cases;
    for (const CaseRuns& runs : runs_by_case(experiment)) {
        cases.push_back(
            {runs.cell,
             ab_side(side_label("A", experiment.ab->a), runs.a, runs.b),
             ab_side(side_label("B", experiment.ab->b), runs.b, runs.a)}
        );
    }
    if (cases.empty()) {
        throw UsageError(
            "could not compare the sides of an experiment: it holds no run of a side",
            "choose an experiment with runs: kvprof ls"
        );
    }
    return cases;
}

} // namespace kvprof::analyzers
