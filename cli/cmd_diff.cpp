#include "analyzers/compare.h"
#include "analyzers/pairs.h"
#include "analyzers/render_json.h"
#include "analyzers/render_markdown.h"
#include "analyzers/render_text.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/stores.h"
#include "db/selector.h"

#include <algorithm>

namespace kvprof::cli {

namespace {

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

ExitCode diff_sides(const DiffOptions& options) {
    const std::filesystem::path store = store_path_of(options.common);
    const auto side = [&](const std::string& reference) {
        return analyzers::side_of(reference, db::load_runs(db::select(store, reference)));
    };
    Output output(options.common);
    const Comparison comparison = analyzers::compare(side(options.base), side(options.candidate));
    output.write(render(comparison, options.common.format));
    if (options.sets_exit_code) {
        return exit_code_of(comparison);
    }
    return comparison.verdict == analyzers::Verdict::not_comparable ? ExitCode::not_comparable
                                                                    : ExitCode::done;
}

ExitCode diff_cells(const DiffOptions& options) {
    const std::filesystem::path store = store_path_of(options.common);
    Output output(options.common);
    const auto runs = db::load_runs(db::select(store, options.base));
    const PairedComparison comparison =
        analyzers::compare_pairs(analyzers::pair_by(options.by, runs));
    output.write(render(comparison, options.common.format));
    if (options.sets_exit_code) {
        return exit_code_of(comparison);
    }
    const bool is_nothing_comparable = std::all_of(
        comparison.cells.begin(),
        comparison.cells.end(),
        [](const PairedComparison::Cell& cell) {
            return cell.comparison.verdict == analyzers::Verdict::not_comparable;
        }
    );
    return is_nothing_comparable ? ExitCode::not_comparable : ExitCode::done;
}

} // namespace

ExitCode run(const DiffOptions& options) {
    return options.by.empty() ? diff_sides(options) : diff_cells(options);
}

} // namespace kvprof::cli
