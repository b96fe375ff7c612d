#include "cli/parse_help.h"

#include "cli/verbs.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace kvprof::cli {

namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kDocColumn = 30;

/// Breaks at spaces; lines after the first start at the column of the descriptions.
std::string wrap(std::string_view text) {
    std::string lines;
    while (kDocColumn + text.size() > kWidth) {
        const std::size_t space = text.rfind(' ', kWidth - kDocColumn);
        if (space == std::string_view::npos) {
            break;
        }
        lines += fmt::format("{}\n{:{}}", text.substr(0, space), "", kDocColumn);
        text.remove_prefix(space + 1);
    }
    return lines + std::string(text);
}

std::string option_line(const CLI::Option& option) {
    const bool is_positional = option.get_positional();
    std::string left = fmt::format("  {}", option.get_name(is_positional, !is_positional));
    if (option.get_type_size() != 0 && !is_positional) {
        left += " " + option.get_type_name();
    }
    std::string doc = option.get_description();
    if (!option.get_default_str().empty()) {
        doc += fmt::format(" [{}]", option.get_default_str());
    }
    if (left.size() + 2 > kDocColumn) {
        left += fmt::format("\n{:{}}", "", kDocColumn);
    }
    return fmt::format("{:<{}}{}\n", left, kDocColumn, wrap(doc));
}

std::string indented(std::string_view lines) {
    std::string text;
    while (!lines.empty()) {
        const std::size_t end = lines.find('\n') + 1;
        text += fmt::format("  {}", lines.substr(0, end));
        lines.remove_prefix(end);
    }
    return text;
}

std::string sections(const CLI::App& app) {
    std::string text;
    for (const std::string& group : app.get_groups()) {
        if (group.empty()) {
            continue; // hidden options
        }
        text += fmt::format("\n{}:\n", group);
        for (const CLI::Option* option : app.get_options()) {
            text += option->get_group() == group ? option_line(*option) : std::string();
        }
    }
    return text;
}

std::string program_help(const CLI::App& app) {
    std::string text = "kvprof: measures what the KV-cache index path of a decode step costs\n\n";
    text += "Examples:\n"
            "  kvprof run --ab index-mode=rectangle index-mode=stream\n"
            "  kvprof gate --ab program=base/kvprof program=head/kvprof\n"
            "  kvprof show @latest\n"
            "  kvprof doctor\n\n"
            "Usage: kvprof VERB [options]\n\nVerbs:\n";
    for (const Verb& verb : kVerbs) {
        text += fmt::format("  {:<10}{}\n", verb.name, verb.summary);
    }
    text += sections(app);
    return text + "\nkvprof VERB --help lists the options of a verb.\n";
}

} // namespace

std::string help_text(const CLI::App& app) {
    const auto* verb = std::find_if(kVerbs.begin(), kVerbs.end(), [&](const Verb& candidate) {
        return candidate.name == app.get_name();
    });
    if (verb == kVerbs.end()) {
        return program_help(app);
    }
    return fmt::format(
        "kvprof {}: {}\n\nExamples:\n{}\nUsage: {}\n{}",
        verb->name,
        verb->summary,
        indented(verb->examples),
        verb->usage,
        sections(app)
    );
}

} // namespace kvprof::cli
