#include "cli/parse.h"

#include "capture/model/plain_text.h"
#include "capture/model/units.h"
#include "cli/format_names.h"
#include "cli/parse_common.h"
#include "cli/parse_fields.h"
#include "cli/parse_help.h"
#include "cli/verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace kvprof::cli {

namespace {

/// The texts that CLI11 fills, and what becomes of them.
class CommandLine {
  public:
    CommandLine();
    [[nodiscard]] Command read(const std::vector<std::string>& arguments);

  private:
    void add_run();
    void add_store_verbs();
    void add_other_verbs();
    CLI::App& add_verb(const char* name);

    void parse(const std::vector<std::string>& arguments);
    [[nodiscard]] Command command(const std::vector<std::string>& arguments) const;
    [[nodiscard]] RunOptions run_options(const std::vector<std::string>& arguments) const;
    [[nodiscard]] DiffOptions diff_options() const;
    [[nodiscard]] ExportOptions export_options() const;
    [[nodiscard]] TagOptions tag_options() const;
    [[nodiscard]] HelpOptions help_topic() const;
    [[nodiscard]] const CLI::App& verb() const;

    CLI::App app_;
    CommonTexts common_;
    std::deque<FieldText> step_;
    std::deque<FieldText> measure_;
    std::vector<std::string> varies_;
    std::vector<std::string> references_;
    std::string repeats_ = "1";
    std::string timeout_;
    std::string label_;
    std::string by_;
    std::string limit_ = "0";
    std::string export_format_ = "perfetto";
    std::string spec_;
    std::string out_;
    bool shows_version_ = false;
    bool lists_presets_ = false;
    bool is_dry_ = false;
    bool is_single_process_ = false;
    bool deletes_ = false;
    bool sets_exit_code_ = false;
    bool requires_gpu_ = false;
};

CommandLine::CommandLine() {
    app_.allow_extras();
    app_.require_subcommand(0, 1);
    // So that a script can add to a list of options that it was given.
    app_.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    app_.set_help_flag("-h,--help", "show this help");
    app_.add_flag("--version", shows_version_, "print the version; with --json, of every part");
    app_.add_flag("--json", common_.is_json, "--version as JSON");
    add_run();
    add_store_verbs();
    add_other_verbs();
}

CLI::App& CommandLine::add_verb(const char* name) {
    CLI::App& verb = *app_.add_subcommand(name);
    verb.allow_extras();
    verb.set_help_flag(); // added again by CommonTexts, so that it stands with the common flags
    return verb;
}

void CommandLine::add_run() {
    CLI::App& verb = add_verb("run");
    add_fields(verb, StepSpec{}, step_);
    add_fields(verb, MeasureSpec{}, measure_);
    const std::string group = "Experiment";
    verb.add_option("--vary", varies_, "measure each of several values of a field; repeatable")
        ->take_all()
        ->allow_extra_args(false)
        ->type_name("FIELD=A,B")
        ->group(group);
    verb.add_option("--repeats", repeats_, "runs of each variant, in an order that evens out drift")
        ->type_name("N")
        ->default_str("1")
        ->group(group);
    verb.add_option("--label", label_, "name of the experiment in the store")
        ->type_name("TEXT")
        ->group(group);
    verb.add_option("--timeout", timeout_, "seconds after which a run is given up")
        ->type_name("X")
        ->group(group);
    verb.add_flag("--dry-run", is_dry_, "print the runs in their order and measure nothing")
        ->group(group);
    verb.add_flag(
            "--single-process", is_single_process_, "measure in this process: quick, and noted"
    )
        ->group(group);
    verb.add_flag("--help-presets", lists_presets_, "list the built-in model shapes")->group(group);
    common_.add_progress_to(verb);
    common_.add_to(verb);
}

void CommandLine::add_store_verbs() {
    CLI::App& list = add_verb("ls");
    list.add_option("--limit", limit_, "newest experiments to list; 0: all")
        ->type_name("N")
        ->default_str("0");
    common_.add_to(list);

    CLI::App& show = add_verb("show");
    show.add_option("REF", references_, "what to show: @latest, an id, a label, REF/FIELD=VALUE")
        ->take_all();
    common_.add_to(show);

    CLI::App& remove = add_verb("rm");
    remove.add_option("REF", references_, "what to remove: whole experiments, or runs of them")
        ->take_all();
    common_.add_quiet_to(remove);
    common_.add_to(remove);

    CLI::App& tag = add_verb("tag");
    tag.add_option("NAME", references_, "the name, then what it names (default: @latest)")
        ->take_all();
    tag.add_flag("--delete", deletes_, "remove the name; its runs stay");
    common_.add_to(tag);
}

void CommandLine::add_other_verbs() {
    CLI::App& diff = add_verb("diff");
    diff.add_option("REF", references_, "the base, then the candidate; with --by, one experiment")
        ->take_all();
    diff.add_option("--by", by_, "pair the cells of a matrix that differ in this field alone")
        ->type_name("FIELD");
    diff.add_flag("--exit-code", sets_exit_code_, "exit 1 when an exact metric differs");
    common_.add_to(diff);

    CLI::App& exports = add_verb("export");
    exports.add_option("REF", references_, "the run: @latest, an id, a label, REF/FIELD=VALUE")
        ->take_all();
    exports.add_option("--format", export_format_, "what to write: a timeline for ui.perfetto.dev")
        ->type_name("perfetto")
        ->default_str("perfetto");
    common_.add_places_to(exports);

    CLI::App& doctor = add_verb("doctor");
    doctor.add_flag("--require-gpu", requires_gpu_, "exit 5 when there is no GPU");
    common_.add_to(doctor);

    CLI::App& help = add_verb("help");
    help.add_option("TOPIC", references_, "a verb, or exit-codes")->take_all();

    CLI::App& measure = add_verb("_measure");
    measure.add_option("--spec", spec_);
    measure.add_option("--out", out_);
}

const CLI::App& CommandLine::verb() const {
    const auto verbs = app_.get_subcommands();
    return verbs.empty() ? app_ : *verbs.front();
}

void CommandLine::parse(const std::vector<std::string>& arguments) {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend()); // CLI11's order
    try {
        app_.parse(reversed);
    } catch (const CLI::CallForHelp&) {
        throw;
    } catch (const CLI::ParseError& error) {
        throw UsageError(
            fmt::format("could not read the command line: {}", error.what()),
            fmt::format("kvprof {} --help shows the usage", verb().get_name())
        );
    }
    refuse_extras(app_, app_.remaining());
    refuse_extras(verb(), verb().remaining());
}

Command CommandLine::read(const std::vector<std::string>& arguments) {
    try {
        parse(arguments);
    } catch (const CLI::CallForHelp&) {
        return HelpOptions{help_text(verb())};
    }
    if (shows_version_) {
        return VersionOptions{common_.is_json};
    }
    return command(arguments);
}

RunOptions CommandLine::run_options(const std::vector<std::string>& arguments) const {
    RunOptions options;
    options.common = common_.read(true);
    read_fields(step_, options.step);
    read_fields(measure_, options.measure);
    std::transform(
        varies_.begin(), varies_.end(), std::back_inserter(options.varies), experiment::parse_vary
    );
    options.repeats = parse_count(repeats_, "--repeats");
    if (options.repeats < 1 || options.repeats > 10'000) {
        throw UsageError(
            fmt::format("could not read --repeats: {} is outside 1 to 10,000", options.repeats)
        );
    }
    if (!timeout_.empty()) {
        options.timeout_s = parse_real(timeout_, "--timeout");
        if (options.timeout_s <= 0.0 || options.timeout_s > 1e6) {
            throw UsageError(
                fmt::format("could not read --timeout: {} s is outside 0 to 1,000,000 s", timeout_)
            );
        }
    }
    if (!is_plain_text(label_)) {
        throw UsageError("could not read --label: it is no UTF-8, has control characters, or is "
                         "over 200 bytes long");
    }
    options.label = label_;
    options.command_line = quoted(arguments);
    options.is_dry = is_dry_;
    options.is_single_process = is_single_process_;
    return options;
}

DiffOptions CommandLine::diff_options() const {
    const std::size_t sides = by_.empty() ? 2 : 1;
    checked_count(references_, sides, sides);
    return {
        .common = common_.read(true),
        .base = references_[0],
        .candidate = sides == 2 ? references_[1] : std::string(),
        .by = by_,
        .sets_exit_code = sets_exit_code_};
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

HelpOptions CommandLine::help_topic() const {
    if (checked_count(references_, 0, 1) == 0) {
        return {help_text(app_)};
    }
    const std::string& topic = references_[0];
    if (topic == "exit-codes") {
        return {exit_codes_text()};
    }
    std::vector<std::string_view> topics{"exit-codes"};
    for (const Verb& verb : kVerbs) {
        if (verb.name == topic) {
            return {help_text(*app_.get_subcommand(topic))};
        }
        topics.push_back(verb.name);
    }
    refuse_choice("help", topic, topics);
}

Command CommandLine::command(const std::vector<std::string>& arguments) const {
    const std::string& name = verb().get_name();
    if (name == "run") {
        return lists_presets_ ? Command(PresetOptions{}) : Command(run_options(arguments));
    }
    if (name == "ls") {
        const std::int64_t limit = parse_count(limit_, "--limit");
        if (limit < 0) {
            throw UsageError(fmt::format("could not read --limit: {} is below 0", limit));
        }
        return ListOptions{common_.read(false), limit};
    }
    if (name == "show") {
        checked_count(references_, 1, 1);
        return ShowOptions{common_.read(true), references_[0]};
    }
    if (name == "rm") {
        checked_count(references_, 1, references_.size());
        return RemoveOptions{common_.read(false), references_};
    }
    if (name == "tag") {
        return tag_options();
    }
    if (name == "diff") {
        return diff_options();
    }
    if (name == "export") {
        return export_options();
    }
    if (name == "doctor") {
        return DoctorOptions{common_.read(false), requires_gpu_};
    }
    if (name == "help") {
        return help_topic();
    }
    if (name == "_measure") {
        return MeasureOptions{spec_, out_};
    }
    throw UsageError(
        "could not read the command line: no verb",
        "run, diff, ls, show, rm, tag, export, doctor or help; kvprof --help says what each does"
    );
}

} // namespace

Command parse(const std::vector<std::string>& arguments) {
    return CommandLine().read(arguments);
}

} // namespace kvprof::cli
