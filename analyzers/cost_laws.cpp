#include "analyzers/cost_laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace kvprof::analyzers {

namespace {

SideLaws laws_of(std::optional<AbSide> side, const std::vector<const Run*>& runs) {
    SideLaws laws{.side = side, .axes = axes_of(runs), .times = {}, .bytes = {}};
    for (const AxisRuns& axis : laws.axes) {
        std::vector<TimeLaw> times = time_laws(axis);
        std::move(times.begin(), times.end(), std::back_inserter(laws.times));
    }
    laws.bytes = byte_laws(laws.axes);
    return laws;
}

/// Why a complete run has no time of the subject.
std::string reason_of(const Run& run, const LawSubject& subject) {
    if (subject.kernel.empty()) {
        return "no sample was kept";
    }
    for (const PassResult& pass : run.passes) {
        if (pass.pass == Pass::nodes) {
            return pass.failure.empty() ? "not launched" : "nodes pass: " + pass.failure;
        }
    }
    return "no nodes pass";
}

/// "not-run: could not fit the step: ...".
std::string state_of(const Run& run) {
    const std::string state(to_string(run.status.state));
    return run.status.reason.empty() ? state : fmt::format("{}: {}", state, run.status.reason);
}

bool has_run(const AxisRuns& axis, std::int64_t value) {
    return std::any_of(axis.runs.begin(), axis.runs.end(), [&](const Run* run) {
        return field_of(run->step, axis.axis) == value;
    });
}

bool has_value(const TimeLaw& law, std::int64_t value) {
    return std::any_of(law.points.begin(), law.points.end(), [&](const LawPoint& point) {
        return point.value == value;
    });
}

std::optional<stats::Coefficient> difference(
    const std::optional<stats::LineFit>& a,
    const std::optional<stats::LineFit>& b,
    stats::Coefficient stats::LineFit::*coefficient
) {
    return a && b ? std::optional(stats::difference_of((*a).*coefficient, (*b).*coefficient))
                  : std::nullopt;
}

TimeLawChange change_of(const TimeLaw* a, const TimeLaw* b) {
    TimeLawChange change{.a = a, .b = b};
    if (a != nullptr && b != nullptr) {
        change.intercept = difference(a->line, b->line, &stats::LineFit::intercept);
        change.slope = difference(a->line, b->line, &stats::LineFit::slope);
        change.elasticity = difference(a->power, b->power, &stats::LineFit::slope);
    }
    return change;
}

/// Pairs each of `a` with its like in `b`, then the rest of `b`.
template<typename Law, typename Change, typename IsSame>
std::vector<Change> paired(
    const std::vector<Law>& a,
    const std::vector<Law>& b,
    const IsSame& is_same,
    Change (*change)(const Law*, const Law*)
) {
    const auto find = [&](const std::vector<Law>& laws, const Law& law) -> const Law* {
        const auto found = std::find_if(laws.begin(), laws.end(), [&](const Law& other) {
            return is_same(law, other);
        });
        return found == laws.end() ? nullptr : &*found;
    };
    std::vector<Change> changes;
    changes.reserve(a.size() + b.size());
    for (const Law& law : a) {
        changes.push_back(change(&law, find(b, law)));
    }
    for (const Law& law : b) {
        if (find(a, law) == nullptr) {
            changes.push_back(change(nullptr, &law));
        }
    }
    return changes;
}

ByteLawChange byte_change(const ByteLaw* a, const ByteLaw* b) {
    return {a, b};
}

} // namespace

std::vector<SideLaws> cost_laws(const std::vector<Run>& runs) {
    std::vector<SideLaws> sides;
    for (const std::optional<AbSide> side :
         {std::optional<AbSide>(), std::optional(AbSide::a), std::optional(AbSide::b)}) {
        std::vector<const Run*> of_side;
        for (const Run& run : runs) {
            const auto its = run.ab ? std::optional(run.ab->side) : std::nullopt;
            if (its == side) {
                of_side.push_back(&run);
            }
        }
        if (!of_side.empty()) {
            sides.push_back(laws_of(side, of_side));
        }
    }
    return sides;
}

std::vector<MissingFigure> missing_figures(const AxisRuns& axis, const TimeLaw* law) {
    std::map<std::int64_t, std::string> reasons;
    const auto has_figure = [&](std::int64_t value) {
        return law != nullptr ? has_value(*law, value) : has_run(axis, value);
    };
    const auto add = [&](const Run& run, const std::string& reason) {
        const std::int64_t value = field_of(run.step, axis.axis);
        if (!has_figure(value)) {
            reasons.try_emplace(value, reason);
        }
    };
    for (const Run* run : axis.others) {
        add(*run, state_of(*run));
    }
    for (const Run* run : axis.runs) {
        add(*run, law == nullptr ? std::string() : reason_of(*run, law->subject));
    }
    std::vector<MissingFigure> missing;
    missing.reserve(reasons.size());
    for (auto& [value, reason] : reasons) {
        missing.push_back({value, std::move(reason)});
    }
    return missing;
}

std::vector<TimeLawChange> time_law_changes(const SideLaws& a, const SideLaws& b) {
    return paired<TimeLaw, TimeLawChange>(
        a.times,
        b.times,
        [](const TimeLaw& one, const TimeLaw& other) {
            return one.axis == other.axis && one.subject == other.subject;
        },
        change_of
    );
}

std::vector<ByteLawChange> byte_law_changes(const SideLaws& a, const SideLaws& b) {
    return paired<ByteLaw, ByteLawChange>(
        a.bytes,
        b.bytes,
        [](const ByteLaw& one, const ByteLaw& other) { return one.buffer == other.buffer; },
        byte_change
    );
}

} // namespace kvprof::analyzers
