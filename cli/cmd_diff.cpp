#include "analyzers/cases.h"
#include "analyzers/compare.h"
#include "analyzers/pairs.h"
#include "analyzers/render_json.h"
#include "analyzers/render_markdown.h"
#include "analyzers/render_text.h"
#include "capture/model/error.h"
#include "cli/commands.h"
#include "cli/judging.h"
#include "cli/output.h"
#include "cli/stores.h"
#include "db/selector.h"
#include "db/variant_filter.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvprof::cli {

namespace {

using analyzers::CompareOptions;
using analyzers::Comparison;
using analyzers::PairedComparison;

std::string render(const Comparison& comparison, Format format) {
    switch (format) {
    case Format::text: return analyzers::comparison_text(comparison);
    case Format::markdown: return analyzers::comparison_markdown(comparison);
    case Format::json: return analyzers::comparison_json(comparison);
    }
    return {};
}

std::string render(const PairedComparison& comparison, Format format) {
    switch (format) {
    case Format::text: return analyzers::pairs_text(comparison);
    case Format::markdown: return analyzers::pairs_markdown(comparison);
    case Format::json: return analyzers::pairs_json(comparison);
    }
    return {};
}

/// The code of several comparisons: the greatest with --exit-code, else 4 when none can be made.
ExitCode code_of_cases(const DiffOptions& options, const std::vector<Comparison>& cases) {
    if (!options.sets_exit_code) {
        return is_nothing_comparable(cases) ? ExitCode::not_comparable : ExitCode::done;
    }
    return analyzers::exit_code_of(cases);
}

/// The field filters of two references name what differs on purpose: "REF/batch=8" and
/// "REF/batch=64" declare batch.
void declare_filters(const DiffOptions& options, CompareOptions& how) {
    const std::vector<Param> others = db::split_reference(options.candidate).fields;
    for (const Param& field : db::split_reference(options.base).fields) {
        const bool is_in_both = std::any_of(others.begin(), others.end(), [&](const Param& other) {
            return other.name == field.name;
        });
        if (is_in_both) {
            how.treatment.push_back(field.name);
        }
    }
}

/// Two sides of one A/B experiment keep what its design says of them.
void take_design(const db::Selection& base, const db::Selection& candidate, CompareOptions& how) {
    if (base.experiment.empty() || base.experiment != candidate.experiment
        || base.store != candidate.store) {
        return;
    }
    const Experiment experiment =
        db::Store(base.store, db::OpenMode::read).load_experiment(base.experiment);
    if (experiment.ab) {
        const std::vector<std::string>& treatment = experiment.ab->treatment;
        how.treatment.insert(how.treatment.end(), treatment.begin(), treatment.end());
        how.is_interleaved = true;
        how.looks = experiment.ab->looks;
    } else {
        how.is_one_order = true; // the cells of a matrix alternate too
    }
}

bool is_baseline(const std::string& reference) {
    return reference.starts_with("baseline/");
}

ExitCode diff_sides(const DiffOptions& options) {
    if (is_baseline(options.candidate)) {
        throw UsageError(
            fmt::format("could not compare with {} as the candidate", options.candidate),
            "a baseline is a base: name it first"
        );
    }
    const std::filesystem::path store = store_path_of(options.common);
    CompareOptions how = compare_options(options.judge);
    Output output(options.common);
    const db::Selection base = db::select(store, options.base);
    const db::Selection candidate = db::select(store, options.candidate);
    declare_filters(options, how);
    take_design(base, candidate, how);
    how.is_stored_baseline = is_baseline(options.base);
    add_calibrations(how, store);
    const Comparison comparison = analyzers::compare(
        analyzers::side_of(options.base, db::load_runs(base)),
        analyzers::side_of(options.candidate, db::load_runs(candidate)),
        how
    );
    output.write(render(comparison, options.common.format));
    return code_of_cases(options, {comparison});
}

/// The sides of an A/B experiment, case by case.
ExitCode diff_experiment(const DiffOptions& options) {
    const std::filesystem::path path = store_path_of(options.common);
    CompareOptions how = compare_options(options.judge);
    add_calibrations(how, path);
    Output output(options.common);
    const db::Selection selection = db::select(path, options.base);
    const std::vector<Comparison> cases = compare_experiment(load_selected(selection), how);
    output.write(
        cases.size() == 1 ? render(cases.front(), options.common.format)
                          : cases_report(cases, options.common.format)
    );
    return code_of_cases(options, cases);
}

ExitCode diff_cells(const DiffOptions& options) {
    const std::filesystem::path store = store_path_of(options.common);
    CompareOptions how = compare_options(options.judge);
    add_calibrations(how, store);
    Output output(options.common);
    const auto runs = db::load_runs(db::select(store, options.base));
    const PairedComparison comparison =
        analyzers::compare_pairs(analyzers::pair_by(options.by, runs), how);
    output.write(render(comparison, options.common.format));
    std::vector<Comparison> cases;
    for (const PairedComparison::Cell& cell : comparison.cells) {
        cases.push_back(cell.comparison);
    }
    return cases.empty() ? ExitCode::not_comparable : code_of_cases(options, cases);
}

} // namespace

ExitCode run(const DiffOptions& options) {
    if (!options.by.empty()) {
        return diff_cells(options);
    }
    return options.candidate.empty() ? diff_experiment(options) : diff_sides(options);
}

} // namespace kvprof::cli
