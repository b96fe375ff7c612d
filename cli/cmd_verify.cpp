#include "capture/model/error.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/report_of.h"
#include "cli/report_plan.h"
#include "cli/stores.h"
#include "report/gzip.h"
#include "report/render.h"
#include "report/verify.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace kvprof::cli {

namespace {

std::string read_file(const std::filesystem::path& path) {
    std::error_code ignored;
    std::string why = "it is a directory";
    if (!std::filesystem::is_directory(path, ignored)) {
        if (std::ifstream file(path, std::ios::binary); file) {
            return {std::istreambuf_iterator<char>(file), {}};
        }
        why = std::strerror(errno);
    }
    throw UsageError(fmt::format("could not read the report {}: {}", path.string(), why));
}

/// --db, else the bundle that stands beside the report, else the usual store.
CommonOptions with_store(const VerifyOptions& options) {
    CommonOptions common = options.common;
    std::filesystem::path bundle = options.file;
    if (std::error_code missing;
        !common.db && std::filesystem::exists(bundle.replace_extension(".db"), missing)) {
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

std::string words(const report::Verification& found, const std::string& what) {
    if (!found.difference) {
        return fmt::format("verified: all {} figures of {}\n", found.figures, what);
    }
    const report::Difference& first = *found.difference;
    return fmt::format(
        "differs: {}\n  {}\n    the report says  {}\n    the store gives  {}\n{}",
        what,
        first.where,
        first.reported,
        first.derived,
        first.is_figure ? "" : "  all figures agree; these words differ\n"
    );
}

std::string as_json(const report::Verification& found, const std::string& what) {
    nlohmann::ordered_json json{
        {"schema", "kvprof.verification/1"},
        {"report", what},
        {"holds", !found.difference},
        {"figures", found.figures},
        {"difference", nullptr}};
    if (found.difference) {
        json["difference"] = {
            {"where", found.difference->where},
            {"reported", found.difference->reported},
            {"derived", found.difference->derived},
            {"is_figure", found.difference->is_figure}};
    }
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace

ExitCode run(const VerifyOptions& options) {
    Output output(options.common);
    const std::string content = report::gunzip(read_file(options.file));
    const report::ReportFile file = report::read_report(content);
    const ReportPlan plan = plan_of(options, file, with_store(options));
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
    output.write(options.common.format == Format::json ? as_json(found, what) : words(found, what));
    return found.difference ? ExitCode::difference : ExitCode::done;
}

} // namespace kvprof::cli
