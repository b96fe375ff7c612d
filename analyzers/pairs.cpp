#include "analyzers/pairs.h"

#include "analyzers/spec_diff.h"
#include "capture/model/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace kvprof::analyzers {

namespace {

void require_field(std::string_view field) {
    const std::vector<Param> params = params_of(Run{});
    std::vector<std::string_view> names;
    for (const Param& param : params) {
        names.emplace_back(param.name);
    }
    if (std::find(names.begin(), names.end(), field) != names.end()) {
        return;
    }
    const std::string_view near = nearest(field, names);
    throw UsageError(
        fmt::format("could not pair runs by \"{}\": it is no field of a run", field),
        near.empty() ? "the fields are the options of kvprof run"
                     : fmt::format("did you mean {}?", near)
    );
}

std::string value_on(const Side& side, std::string_view field) {
    return value_of(params_of(side.step, side.measure), field);
}

/// Sides that are equal in every field but the paired one.
using Cell = std::vector<Side>;

bool is_same_cell(const Side& a, const Side& b, std::string_view field) {
    const std::vector<SpecChange> changes =
        changes_between(params_of(a.step, a.measure), params_of(b.step, b.measure));
    return std::all_of(changes.begin(), changes.end(), [&](const SpecChange& change) {
        return change.name == field;
    });
}

std::vector<Cell> cells_of(std::vector<Side> sides, std::string_view field) {
    std::vector<Cell> cells;
    for (Side& side : sides) {
        const auto cell = std::find_if(cells.begin(), cells.end(), [&](const Cell& candidate) {
            return is_same_cell(candidate.front(), side, field);
        });
        if (cell == cells.end()) {
            cells.emplace_back().push_back(std::move(side));
        } else {
            cell->push_back(std::move(side));
        }
    }
    return cells;
}

/// How variants are told apart: the paired field, its base value, the other fields that vary.
struct Axes {
    std::string field;
    std::string base_value;
    std::vector<std::string> others;
};

Axes axes_of(std::string_view field, const std::vector<Run>& runs) {
    Axes axes{std::string(field), value_of(params_of(runs.front()), field), varying_fields(runs)};
    std::erase(axes.others, axes.field);
    return axes;
}

Unpaired unpaired(const Side& side, const Axes& axes, std::string reason) {
    std::vector<std::string> names{axes.field};
    names.insert(names.end(), axes.others.begin(), axes.others.end());
    return {describe_fields(params_of(side.step, side.measure), names), std::move(reason)};
}

void pair_cell(const Cell& cell, const Axes& axes, Pairing& pairing) {
    const auto base = std::find_if(cell.begin(), cell.end(), [&](const Side& side) {
        return value_on(side, axes.field) == axes.base_value;
    });
    const bool has_base = base != cell.end() && !base->runs.empty();
    const std::string base_name = fmt::format("{}={}", axes.field, axes.base_value);
    bool is_base_paired = false;
    for (auto side = cell.begin(); side != cell.end(); ++side) {
        if (side->runs.empty()) {
            pairing.unpaired.push_back(
                unpaired(*side, axes, "no complete run" + why_excluded(*side))
            );
        } else if (base == cell.end()) {
            const std::string reason = fmt::format("there is no run with {}", base_name);
            pairing.unpaired.push_back(unpaired(*side, axes, reason));
        } else if (!has_base) {
            const std::string reason = fmt::format("{} has no complete run", base_name);
            pairing.unpaired.push_back(unpaired(*side, axes, reason));
        } else if (side != base) {
            const auto params = params_of(side->step, side->measure);
            pairing.pairs.push_back({describe_fields(params, axes.others), *base, *side});
            is_base_paired = true;
        }
    }
    if (has_base && !is_base_paired) {
        const std::string reason = fmt::format("no complete run has another {}", axes.field);
        pairing.unpaired.push_back(unpaired(*base, axes, reason));
    }
}

/// Whether all runs have a position of their own: they are of one experiment.
bool has_one_order(const Pairing& pairing) {
    std::map<std::int64_t, std::string> runs; // a side may be in several pairs
    for (const Pair& pair : pairing.pairs) {
        for (const Side* side : {&pair.base, &pair.candidate}) {
            for (const Run& run : side->runs) {
                if (runs.emplace(run.position, run.uuid).first->second != run.uuid) {
                    return false;
                }
            }
        }
    }
    return true;
}

} // namespace

Pairing pair_by(std::string_view field, const std::vector<Run>& runs) {
    require_field(field);
    Pairing pairing{std::string(field), {}, {}};
    if (runs.empty()) {
        return pairing;
    }
    const Axes axes = axes_of(field, runs);
    for (const Cell& cell : cells_of(sides_of(runs), field)) {
        pair_cell(cell, axes, pairing);
    }
    return pairing;
}

PairedComparison compare_pairs(const Pairing& pairing, CompareOptions how) {
    how.treatment.push_back(pairing.field);
    how.is_one_order = has_one_order(pairing);
    std::vector<Case> cases;
    for (const Pair& pair : pairing.pairs) {
        cases.push_back({pair.cell, pair.base, pair.candidate});
    }
    PairedComparison paired{pairing.field, {}, pairing.unpaired};
    for (Comparison& comparison : compare_cases(cases, how)) {
        std::string cell = comparison.cell;
        paired.cells.push_back({std::move(cell), std::move(comparison)});
    }
    return paired;
}

ExitCode exit_code_of(const PairedComparison& comparison) {
    if (comparison.cells.empty()) {
        return ExitCode::not_comparable;
    }
    ExitCode code = ExitCode::done;
    for (const PairedComparison::Cell& cell : comparison.cells) {
        code = std::max(code, exit_code_of(cell.comparison));
    }
    return code;
}

} // namespace kvprof::analyzers
