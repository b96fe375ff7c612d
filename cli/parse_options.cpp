#include "capture/model/plain_text.h"
#include "capture/model/units.h"
#include "cli/format_names.h"
#include "cli/parse_command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace kvprof::cli {

RunOptions CommandLine::run_options(const std::vector<std::string>& arguments) const {
    RunOptions options = run_.read();
    options.common = common_.read(true);
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

DiffOptions CommandLine::diff_options() const {
    const std::size_t sides = checked_count(references_, 1, by_.empty() ? 2 : 1);
    return {
        .common = common_.read(true),
        .judge = judge_.read(),
        .base = references_[0],
        .candidate = sides == 2 ? references_[1] : std::string(),
        .by = by_,
        .sets_exit_code = sets_exit_code_};
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
    options.common = common_.read(false);
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
    checked_count(references_, 1, 1);
    ExportOptions options{.common = common_.read(true), .reference = references_[0]};
    options.common.format = Format::json; // no text for people: nothing in it is coloured
    parse_field("format", export_format_, options.format);
    return options;
}

TagOptions CommandLine::tag_options() const {
    const std::size_t words = checked_count(references_, deletes_ ? 1 : 0, deletes_ ? 1 : 2);
    if (words > 0 && references_[0].empty()) {
        throw UsageError("could not read the command line: the name of the tag is empty");
    }
    return {
        .common = common_.read(false),
        .name = words > 0 ? references_[0] : std::string(),
        .reference = words > 1 ? references_[1] : std::string("@latest"),
        .deletes = deletes_};
}

} // namespace kvprof::cli
