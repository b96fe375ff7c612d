#include "cli/parse.h"

#include "capture/model/params.h"
#include "capture/model/units.h"
#include "cli/completion.h"
#include "cli/man_page.h"
#include "cli/parse_command_line.h"
#include "cli/parse_help.h"
#include "cli/verbs.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

namespace kvprof::cli {

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
    refuse_empty(verb(), {"--ab", "--label", "--op", "--delay-op", "--script", "--resume"});
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
    refuse_choice("the topic", topic, topics);
}

std::optional<Command> CommandLine::measuring_command(
    const std::string& name, const std::vector<std::string>& arguments
) const {
    if (name == "run") {
        if (run_.lists_presets()) {
            return PresetOptions{};
        }
        if (run_.lists_backends()) {
            return BackendOptions{};
        }
        return run_options(arguments);
    }
    if (name == "matrix") {
        return matrix_options(arguments);
    }
    if (name == "tune") {
        return tune_options(arguments);
    }
    if (name == "sweep") {
        return sweep_options(arguments);
    }
    if (name == "gate") {
        return gate_options(arguments);
    }
    if (name == "baseline") {
        return baseline_options();
    }
    if (name == "calibrate") {
        return calibrate_options(arguments);
    }
    if (name == "selftest") {
        return selftest_options(arguments);
    }
    if (name == "ceilings") {
        return CeilingsOptions{common_.read(verb()), remeasures_, parse_count(device_, "--device")};
    }
    return std::nullopt;
}

Command CommandLine::command(const std::vector<std::string>& arguments) const {
    const std::string& name = verb().get_name();
    if (std::optional<Command> found = measuring_command(name, arguments)) {
        return *std::move(found);
    }
    if (name == "ls") {
        const std::int64_t limit = parse_count(limit_, "--limit");
        if (limit < 0) {
            throw UsageError(fmt::format("could not read --limit: {} is below 0", limit));
        }
        return ListOptions{common_.read(verb()), limit};
    }
    if (name == "show") {
        return show_options();
    }
    if (name == "rm") {
        checked_count(references_, 1, references_.size());
        return RemoveOptions{common_.read(verb()), references_};
    }
    if (name == "tag") {
        return tag_options();
    }
    if (name == "diff") {
        return diff_options();
    }
    if (name == "report") {
        return report_options();
    }
    if (name == "claims") {
        return claims_options();
    }
    if (name == "verify") {
        return verify_options();
    }
    return exchange_command(name, arguments);
}

Command CommandLine::exchange_command(
    const std::string& name, const std::vector<std::string>& arguments
) const {
    if (name == "export") {
        return export_options();
    }
    if (name == "import") {
        return import_options(arguments);
    }
    if (name == "merge") {
        return merge_options();
    }
    if (name == "sql") {
        return sql_options();
    }
    if (name == "schema") {
        const bool is_named = checked_count(references_, 0, 1) == 1;
        return SchemaOptions{common_.read(verb()), is_named ? references_.front() : std::string()};
    }
    if (name == "completion") {
        if (references_.empty()) {
            throw UsageError(
                "could not read the command line: SHELL missing", "kvprof completion bash|zsh|fish"
            );
        }
        checked_count(references_, 1, 1);
        Shell shell{};
        parse_field("the shell", references_[0], shell);
        return HelpOptions{completion_script(app_, shell)};
    }
    if (name == "man") {
        const bool is_named = checked_count(references_, 0, 1) == 1;
        return HelpOptions{man_page(app_, is_named ? references_.front() : std::string())};
    }
    if (name == "_complete") {
        checked_count(references_, 1, 1);
        return CompleteOptions{common_.read(verb()), references_.front()};
    }
    if (name == "doctor") {
        return DoctorOptions{common_.read(verb()), requires_gpu_};
    }
    if (name == "help") {
        return help_topic();
    }
    if (name == "_measure") {
        return MeasureOptions{spec_, out_};
    }
    std::string names;
    for (const Verb& verb : kVerbs) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ", verb.name);
    }
    throw UsageError(
        "could not read the command line: no verb",
        fmt::format("{}; kvprof --help says what each does", names)
    );
}

Command parse(const std::vector<std::string>& arguments) {
    return CommandLine().read(arguments);
}

} // namespace kvprof::cli
