#include "analyzers/json_values.h"
#include "capture/model/error.h"
#include "cli/bundle_place.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/report_of.h"
#include "cli/report_plan.h"
#include "cli/stores.h"
#include "cli/timelines.h"
#include "db/store.h"
#include "report/gzip.h"
#include "report/render.h"
#include "report/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

namespace kvprof::cli {

namespace {

/// Of a device there may be no end.
std::string read_most(std::ifstream& file, const std::filesystem::path& path) {
    constexpr std::size_t kMost = std::size_t{1} << 30U;
    constexpr std::size_t kPiece = std::size_t{1} << 20U;
    std::string text;
    while (file && text.size() <= kMost) {
        const std::size_t size = text.size();
        text.resize(size + kPiece);
        file.read(text.data() + size, kPiece);
        text.resize(size + static_cast<std::size_t>(file.gcount()));
    }
    if (text.size() > kMost) {
        throw UsageError(
            fmt::format("could not read the report {}: it is over 1 GiB long", path.string())
        );
    }
    return text;
}

std::string read_file(const std::filesystem::path& path) {
    std::error_code ignored;
    std::string why = "it is a directory";
    if (!std::filesystem::is_directory(path, ignored)) {
        if (std::ifstream file(path, std::ios::binary); file) {
            return read_most(file, path);
        }
        why = std::strerror(errno);
    }
    throw UsageError(fmt::format("could not read the report {}: {}", path.string(), why));
}

/// Whether the store has what the report is about; one that can not be read is said by reading it.
bool holds_subject(const std::filesystem::path& path, const report::ReportFile& file) {
    if (!file.recipe) {
        return true;
    }
    const db::Store store(path, db::OpenMode::read);
    const std::vector<report::RecipeRuns>& sides = file.recipe->sides;
    return std::all_of(sides.begin(), sides.end(), [&](const report::RecipeRuns& side) {
        const std::string& uuid = side.runs.empty() ? side.experiment : side.runs.front();
        return !store.ids_starting_with(uuid).empty();
    });
}

/// --db, else the bundle that stands beside the report when it is this report's, else the usual
/// store.
CommonOptions with_store(const VerifyOptions& options, const report::ReportFile& file) {
    CommonOptions common = options.common;
    const std::filesystem::path bundle = bundle_beside(options.file);
    std::error_code missing;
    if (!common.db && std::filesystem::exists(bundle, missing) && holds_subject(bundle, file)) {
        common.db = bundle;
    }
    return common;
}

/// Of the recipe in the report, or of the references that the command line names.
ReportPlan
plan_of(const VerifyOptions& options, const report::ReportFile& file, CommonOptions common) {
    if (!options.subject.references.empty()) {
        common.format = options.format.value_or(file.format);
        return plan_report(options.subject, common, options.is_listing);
    }
    if (!file.recipe) {
        throw UsageError(
            fmt::format(
                "could not verify {}: a report in the form {} does not say what it is made from",
                options.file.string(),
                to_string(file.format)
            ),
            "name its runs: kvprof verify FILE REF"
        );
    }
    ReportPlan plan{.recipe = *file.recipe, .stores = {}, .store = store_path_of(common)};
    plan.stores.assign(plan.recipe.sides.size(), plan.store);
    return plan;
}

/// Why the report has a timeline that can not be derived; empty where that is not so.
std::string missing_timeline(const report::ReportFile& file, const report::Report& derived) {
    const bool has_none = draws_steps(derived.recipe.format) && derived.drawn_steps.empty();
    // Inside a text of JSON the second quote stands behind a backslash.
    return has_none && file.text.find("\"timeline\":") != std::string_view::npos
               ? "the store has no records of the steps that the report draws; kvprof export "
                 "--no-events leaves them out of a bundle"
               : "";
}

std::string
words(const report::Verification& found, const std::string& what, const std::string& cause) {
    if (!found.difference) {
        return fmt::format("verified: all {} figures of {}\n", found.figures, what);
    }
    const report::Difference& first = *found.difference;
    return fmt::format(
        "differs: {}\n  {}\n    the report says  {}\n    the store gives  {}\n{}{}",
        what,
        first.where.empty() ? "the document" : first.where,
        first.reported,
        first.derived,
        first.is_figure ? "" : "  all figures agree; these words differ\n",
        cause.empty() ? "" : "  " + cause + "\n"
    );
}

std::string
as_json(const report::Verification& found, const std::string& what, const std::string& cause) {
    analyzers::Json json{
        {"report", what},
        {"holds", !found.difference},
        {"figures", found.figures},
        {"difference", nullptr}};
    if (found.difference) {
        json["difference"] = {
            {"where", found.difference->where},
            {"reported", found.difference->reported},
            {"derived", found.difference->derived},
            {"is_figure", found.difference->is_figure},
            {"cause", cause.empty() ? analyzers::Json(nullptr) : analyzers::Json(cause)}};
    }
    return analyzers::document(analyzers::with_schema("kvprof.verification/1", json));
}

/// What the file is: as it says, or as the command line does where it says nothing.
report::ReportFile told_form(const VerifyOptions& options, const std::string& content) {
    const bool is_told = options.format && !options.subject.references.empty();
    if (is_told && *options.format != Format::markdown && *options.format != Format::github) {
        return {*options.format, std::nullopt, content};
    }
    return report::read_report(content);
}

} // namespace

ExitCode run(const VerifyOptions& options) {
    Output output(options.common);
    const std::string content = report::gunzip(read_file(options.file));
    const report::ReportFile file = told_form(options, content);
    const ReportPlan plan = plan_of(options, file, with_store(options, file));
    const std::string store = plan.store.string();
    const report::Report derived = report_of(plan);
    const report::Verification found =
        report::compare_reports(file.text, report::render(derived), derived.recipe.format);
    const std::string what = fmt::format(
        "report {} ({}) against the store {}",
        report::report_id(derived.recipe),
        to_string(derived.recipe.format),
        store
    );
    const std::string cause = missing_timeline(file, derived);
    const bool is_json = options.common.format == Format::json;
    output.write(is_json ? as_json(found, what, cause) : words(found, what, cause));
    return found.difference ? ExitCode::difference : ExitCode::done;
}

} // namespace kvprof::cli
