#include "cli/parse_help.h"

#include "cli/parse_usage.h"
#include "cli/verbs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// Breaks a long list of choices after a bar; lines after the first are indented below the option.
std::string wrap_choices(std::string left) {
    constexpr std::size_t kIndent = 6;
    std::string lines;
    while (left.size() > kWidth) {
        const std::size_t bar = left.rfind('|', kWidth - 1);
        if (bar == std::string::npos) {
            break;
        }
        lines += left.substr(0, bar + 1) + "\n";
        left = std::string(kIndent, ' ') + left.substr(bar + 1);
    }
    return lines + left;
}

std::string option_line(const OptionUsage& option) {
    std::string left = fmt::format("  {}", fmt::join(option.names, ","));
    if (!option.value.empty() && !option.is_positional) {
        left = wrap_choices(left + " " + option.value);
    }
    std::string doc = option.doc;
    if (!option.default_value.empty()) {
        doc += fmt::format(" [{}]", option.default_value);
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

std::string sections(const Usage& usage) {
    std::string text;
    std::string group;
    for (const OptionUsage& option : usage.options) {
        text += option.group == group ? std::string() : fmt::format("\n{}:\n", option.group);
        text += option_line(option);
        group = option.group;
    }
    return text;
}

std::string program_help(const Usage& usage) {
    std::string text = fmt::format(
        "kvprof: {}\n\nExamples:\n{}\nUsage: {}\n\nVerbs:\n",
        usage.summary,
        indented(usage.examples),
        usage.synopsis
    );
    for (const Verb& verb : kVerbs) {
        text += fmt::format("  {:<12}{}\n", verb.name, verb.summary);
    }
    text += sections(usage);
    return text + "\nkvprof VERB --help lists the options of a verb.\n";
}

} // namespace

std::string help_text(const CLI::App& app) {
    const Usage usage = usage_of(app);
    if (usage.name.empty()) {
        return program_help(usage);
    }
    return fmt::format(
        "kvprof {}: {}\n\nExamples:\n{}\nUsage: {}\n{}",
        usage.name,
        usage.summary,
        indented(usage.examples),
        usage.synopsis,
        sections(usage)
    );
}

} // namespace kvprof::cli
