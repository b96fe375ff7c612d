#include "capture/model/plain_text.h"
#include "capture/model/units.h"
#include "cli/format_names.h"
#include "cli/parse_command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace kvprof::cli {

namespace {

/// What an import keeps of its arguments: of files the names, and none of their folders.
std::vector<std::string>
without_folders(std::vector<std::string> arguments, const std::vector<std::string>& files) {
    constexpr std::string_view kStore = "--db";
    constexpr std::string_view kStoreIs = "--db=";
    const auto name_of = [](std::string_view file) {
        return std::filesystem::path(file).filename().string();
    };
    bool is_store = false;
    for (std::string& argument : arguments) {
        const bool is_file = std::find(files.begin(), files.end(), argument) != files.end();
        if (is_store || is_file) {
            argument = name_of(argument);
        } else if (argument.starts_with(kStoreIs)) {
            argument = std::string(kStoreIs) + name_of(argument.substr(kStoreIs.size()));
        }
        is_store = !is_store && argument == kStore;
    }
    return arguments;
}

} // namespace

RunOptions CommandLine::run_options(const std::vector<std::string>& arguments) const {
    RunOptions options = run_.read();
    options.common = common_.read(verb());
    options.judge = judge_.read();
    options.command_line = quoted(arguments);
    const bool is_ab = options.design.kind == ExperimentKind::ab;
    if (verb().get_name() == "run" && !is_ab
        && (options.design.runs > 0 || options.design.has_looks)) {
        throw UsageError(
            "could not read --runs: it counts the runs of a side, and there is no --ab",
            "--repeats counts the runs of each variant of a matrix"
        );
    }
    if (is_ab && options.repeats > 1) {
        throw UsageError("could not read --repeats: --ab counts its runs a side", "take --runs");
    }
    return options;
}

RowsOptions CommandLine::matrix_options(const std::vector<std::string>& arguments) const {
    RowsOptions options = run_.read_matrix();
    options.run.common = common_.read(verb());
    options.run.command_line = quoted(arguments);
    return options;
}

RowsOptions CommandLine::tune_options(const std::vector<std::string>& arguments) const {
    RowsOptions options = tune_.read(references_, run_);
    options.run.common = common_.read(verb());
    options.run.command_line = quoted(arguments);
    return options;
}

RunOptions CommandLine::sweep_options(const std::vector<std::string>& arguments) const {
    RunOptions options = run_.read_sweep();
    options.common = common_.read(verb());
    options.command_line = quoted(arguments);
    return options;
}

SubjectOptions CommandLine::subject(std::size_t least) const {
    checked_count(references_, least, by_.empty() ? 2 : 1);
    SubjectOptions subject{
        .references = references_, .by = by_, .judge = judge_.read(), .claims = {}};
    if (!claims_.empty()) {
        subject.claims = claims_;
    }
    return subject;
}

DiffOptions CommandLine::diff_options() const {
    return {
        .common = common_.read(verb()), .subject = subject(1), .sets_exit_code = sets_exit_code_};
}

ReportOptions CommandLine::report_options() const {
    ReportOptions options{
        .common = common_.read(verb()),
        .subject = subject(0),
        .step = {},
        .is_listing = is_listing_,
        .attaches = attaches_};
    if (!step_.empty()) {
        options.step = parse_count(step_, "--step");
    }
    if (options.subject.references.empty()) {
        options.subject.references = {"@latest"};
    }
    return options;
}

ClaimsOptions CommandLine::claims_options() const {
    if (references_.empty() || references_.front() != "check") {
        throw UsageError(
            references_.empty()
                ? std::string("could not read the command line: claims does nothing alone")
                : fmt::format(
                    "could not read the command line: claims knows no \"{}\"", references_.front()
                ),
            "kvprof claims check FILE REF"
        );
    }
    checked_count(references_, 2, by_.empty() ? 4 : 3);
    ClaimsOptions options{.common = common_.read(verb()), .subject = {}};
    options.subject = {
        .references = {references_.begin() + 2, references_.end()},
        .by = by_,
        .judge = judge_.read(),
        .claims = references_[1]};
    if (options.subject.references.empty()) {
        options.subject.references = {"@latest"};
    }
    return options;
}

VerifyOptions CommandLine::verify_options() const {
    if (references_.empty()) {
        throw UsageError(
            "could not read the command line: FILE missing", "kvprof verify FILE names a report"
        );
    }
    checked_count(references_, 1, by_.empty() ? 3 : 2);
    VerifyOptions options;
    options.common = common_.read(verb());
    options.file = references_[0];
    options.subject = {
        .references = {references_.begin() + 1, references_.end()},
        .by = by_,
        .judge = judge_.read(),
        .claims = {}};
    if (!claims_.empty()) {
        options.subject.claims = claims_;
    }
    if (!as_.empty()) {
        parse_field("as", as_, options.format.emplace());
    }
    options.is_listing = is_listing_;
    return options;
}

GateOptions CommandLine::gate_options(const std::vector<std::string>& arguments) const {
    GateOptions options;
    options.run = run_options(arguments);
    options.baseline = baseline_;
    options.confirms = confirms_;
    options.allows_single_layout = allows_single_layout_;
    if (!on_inconclusive_.empty()) {
        parse_field("on-inconclusive", on_inconclusive_, options.on_inconclusive.emplace());
    }
    const bool is_ab = run_.is_ab();
    if (is_ab && (!baseline_.empty() || !references_.empty())) {
        throw UsageError(
            fmt::format(
                "could not read the command line: --ab measures both sides, and {} is stored",
                baseline_.empty() ? references_.front() : "--baseline " + baseline_
            ),
            "leave one of them out"
        );
    }
    if (!is_ab) {
        refuse_groups(
            verb(),
            {"Model", "Pool", "Lanes", "Step", "Measure", "Experiment"},
            "without --ab nothing is measured"
        );
        if (confirms_) {
            throw UsageError(
                "could not read --confirm: without --ab nothing is measured", "leave it out"
            );
        }
        if (references_.empty() && baseline_.empty()) {
            throw UsageError(
                "could not read the command line: there is nothing to judge",
                "measure with --ab A B, name a stored A/B experiment, or a --baseline"
            );
        }
        const std::size_t least = baseline_.empty() ? 1 : 0;
        if (checked_count(references_, least, 1) == 1) {
            options.reference = references_.front();
        }
    }
    return options;
}

CalibrateOptions CommandLine::calibrate_options(const std::vector<std::string>& arguments) const {
    CalibrateOptions options{run_options(arguments)};
    options.run.design.kind = ExperimentKind::calibration;
    constexpr std::int64_t kFewest = 10; // below, the floor of the splits says nothing
    const std::int64_t runs = options.run.design.runs;
    if (options.run.design.has_looks || (runs > 0 && runs < kFewest)) {
        throw UsageError(
            fmt::format(
                "could not read --runs: a calibration takes {} runs or more, a number", kFewest
            ),
            "leave it out for 12"
        );
    }
    return options;
}

BaselineOptions CommandLine::baseline_options() const {
    BaselineOptions options;
    options.common = common_.read(verb());
    const std::vector<std::string_view> actions = choices_of<BaselineAction>();
    const std::string action = references_.empty() ? std::string() : references_.front();
    const auto chosen = parse_enum<BaselineAction>(action);
    if (!chosen) {
        const std::string_view near = nearest(action, actions);
        throw UsageError(
            action.empty()
                ? std::string("could not read the command line: baseline does nothing alone")
                : fmt::format("could not read the command line: baseline knows no \"{}\"", action),
            near.empty() ? "kvprof baseline set NAME REF..., ls, or rm NAME"
                         : fmt::format("did you mean \"{}\"?", near)
        );
    }
    options.action = *chosen;
    switch (options.action) {
    case BaselineAction::set: checked_count(references_, 3, references_.size()); break;
    case BaselineAction::list: checked_count(references_, 1, 1); return options;
    case BaselineAction::remove: checked_count(references_, 2, 2); break;
    }
    constexpr std::string_view kPrefix = "baseline/";
    options.name = references_[1];
    if (options.name.starts_with(kPrefix)) {
        options.name.erase(0, kPrefix.size());
    }
    options.references.assign(references_.begin() + 2, references_.end());
    options.adds = adds_;
    options.author = author_.empty() ? user_name() : author_;
    options.reason = reason_;
    const bool is_set = options.action == BaselineAction::set;
    if (is_set && reason_.empty()) {
        throw UsageError(
            "could not set the baseline: --reason is missing",
            "say why these runs are the base, as in --reason \"release 1.2\""
        );
    }
    if (is_set && (!is_plain_text(reason_) || !is_plain_text(options.author))) {
        throw UsageError(
            "could not set the baseline: --reason or --author is no UTF-8, has control characters, "
            "or is over 200 bytes long"
        );
    }
    return options;
}

SelftestOptions CommandLine::selftest_options(const std::vector<std::string>& arguments) const {
    SelftestOptions options;
    options.run = run_options(arguments);
    options.gates = parse_count(gates_, "--gates");
    if (options.gates < 1 || options.gates > 1000) {
        throw UsageError(fmt::format("could not read --gates: {} is outside 1 to 1,000", gates_));
    }
    for (std::string_view rest = injected_; !rest.empty();) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        options.injected.push_back(parse_percent(std::string(rest.substr(0, comma)), "--inject"));
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    if (options.injected.empty()) {
        throw UsageError("could not read --inject: it is empty", "write --inject 0%,2%");
    }
    return options;
}

ExportOptions CommandLine::export_options() const {
    ExportOptions options;
    CommonTexts common = common_;
    options.is_bundle =
        common.format == "bundle" || (common.format.empty() && common.output.ends_with(".db"));
    if (options.is_bundle) {
        common.format.clear();
    }
    options.common = common.read(verb());
    checked_count(references_, 1, options.is_bundle ? references_.size() : 2);
    options.references = references_;
    options.has_events = !lacks_events_;
    options.has_calibrations = !lacks_calibrations_;
    return options;
}

ImportOptions CommandLine::import_options(const std::vector<std::string>& arguments) const {
    if (references_.empty()) {
        throw UsageError(
            "could not read the command line: FILE missing",
            "kvprof import FILE names a torch trace, an nsys export or a bundle"
        );
    }
    ImportOptions options = import_.read();
    options.common = common_.read(verb());
    options.sources.assign(references_.begin(), references_.end());
    options.command_line = quoted(without_folders(arguments, references_));
    return options;
}

MergeOptions CommandLine::merge_options() const {
    if (references_.empty()) {
        throw UsageError(
            "could not read the command line: FILE missing",
            "kvprof merge FILE names a store or a bundle"
        );
    }
    return {.common = common_.read(verb()), .sources = {references_.begin(), references_.end()}};
}

ShowOptions CommandLine::show_options() const {
    checked_count(references_, 1, 1);
    ShowOptions options{
        .common = common_.read(verb()), .reference = references_.front(), .list = {}};
    if (shows_steps_ && shows_kernels_) {
        throw UsageError(
            "could not read the command line: --steps and --kernels each show one list alone",
            "leave one of them out, or both for everything"
        );
    }
    if (!shows_steps_ && !shows_kernels_) {
        return options;
    }
    options.list = shows_steps_ ? analyzers::RunList::steps : analyzers::RunList::kernels;
    const Format format = options.common.format;
    if (format != Format::text && format != Format::markdown && format != Format::json) {
        throw UsageError(
            fmt::format(
                "could not show one list as {}: it is made as text, md and json alone",
                to_string(format)
            ),
            "leave --steps or --kernels out"
        );
    }
    return options;
}

SqlOptions CommandLine::sql_options() const {
    if (references_.size() != 1) {
        throw UsageError(
            references_.empty()
                ? std::string("could not read the command line: the statement is missing")
                : fmt::format(
                    "could not read the command line: {} statements, and one is run at a time",
                    references_.size()
                ),
            "quote it: kvprof sql \"SELECT uuid, label FROM experiment\""
        );
    }
    return {.common = common_.read(verb()), .statement = references_.front()};
}

TagOptions CommandLine::tag_options() const {
    const std::size_t words = checked_count(references_, deletes_ ? 1 : 0, deletes_ ? 1 : 2);
    if (words > 0 && references_[0].empty()) {
        throw UsageError("could not read the command line: the name of the tag is empty");
    }
    return {
        .common = common_.read(verb()),
        .name = words > 0 ? references_[0] : std::string(),
        .reference = words > 1 ? references_[1] : std::string("@latest"),
        .deletes = deletes_};
}

} // namespace kvprof::cli
