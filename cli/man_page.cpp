#include "cli/man_page.h"

#include "capture/model/params.h"
#include "cli/exit_code.h"
#include "cli/man_roff.h"
#include "cli/manual_texts.h"
#include "cli/parse_usage.h"
#include "cli/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace kvprof::cli {

namespace {

struct Entry {
    std::string_view name;
    std::string_view meaning;
};

constexpr std::array kEnvironment{
    Entry{"KVPROF_DB", "The store, when `--db` does not name it."},
    Entry{
        "XDG_DATA_HOME",
        "Folder of the store, when neither `--db` nor `KVPROF_DB` names it and no kvprof.toml is "
        "near; ~/.local/share when it is not set."},
    Entry{"XDG_CONFIG_HOME", "Folder of the user's settings; ~/.config when it is not set."},
    Entry{
        "KVPROF_CUPTI",
        "The CUPTI library that tracing passes load, and no other, instead of the one of the CUDA "
        "toolkit."},
    Entry{"NO_COLOR", "When it is set and neither empty nor 0: no colour, as `--color never`."},
    Entry{
        "CLICOLOR_FORCE, FORCE_COLOR",
        "When one is set and neither empty nor 0: colour, on a terminal or not. `--color` and "
        "`NO_COLOR` win."},
    Entry{"TERM", "Of the value dumb: no colour."},
    Entry{
        "CUDA_VISIBLE_DEVICES",
        "The devices that `--device` counts. It is stored with each run, as are other variables "
        "that change what runs."}};

constexpr std::array kFiles{
    Entry{
        "kvprof.toml",
        "The policy, from the working folder upwards to the root of its repository."},
    Entry{"~/.config/kvprof/config.toml", "The policy where no kvprof.toml is."},
    Entry{".kvprof/kvprof.db", "The store, beside the nearest kvprof.toml."},
    Entry{"~/.local/share/kvprof/kvprof.db", "The store where no kvprof.toml is."}};

std::string page_name(std::string_view verb) {
    return verb.empty() ? "kvprof" : fmt::format("kvprof-{}", verb);
}

/// A tag with its paragraph.
std::string entry(std::string_view tag, std::string_view paragraph) {
    return fmt::format(".TP\n{}{}", roff_line(tag), roff_line(paragraph));
}

std::string heading(std::string_view verb) {
    std::string title = page_name(verb);
    std::transform(title.begin(), title.end(), title.begin(), [](unsigned char letter) {
        return static_cast<char>(std::toupper(letter));
    });
    return fmt::format(
        ".TH {} 1 {} \"kvprof {}\" \"User Commands\"\n",
        roff_code(title),
        source_day(),
        roff_code(version())
    );
}

/// "auto|cuda" in bold, "FILE" in italics, "N|auto" as both.
std::string value_roff(std::string_view value) {
    std::string roff;
    while (!value.empty()) {
        const std::size_t end = value.find('|');
        const std::string_view part = value.substr(0, end);
        const bool is_word = std::any_of(part.begin(), part.end(), [](unsigned char letter) {
            return std::islower(letter) != 0;
        });
        roff += is_word ? bold(roff_code(part)) : italic(roff_code(part));
        roff += end == std::string_view::npos ? "" : "|";
        value.remove_prefix(std::min(part.size() + 1, value.size()));
    }
    return roff;
}

/// "kvprof gate --ab A B [options]": what is typed in bold, what stands for something in italics.
std::string synopsis_roff(std::string_view line) {
    std::string roff;
    std::string word;
    const auto flush = [&] {
        const bool is_placeholder =
            word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos;
        if (!word.empty()) {
            roff += is_placeholder || word == "options" ? italic(word) : bold(roff_code(word));
        }
        word.clear();
    };
    for (const char letter : line) {
        if (std::string_view(" []|.,=").find(letter) == std::string_view::npos) {
            word += letter;
        } else {
            flush();
            roff += letter;
        }
    }
    flush();
    return roff;
}

std::string synopsis(const Usage& usage) {
    std::string text = ".SH SYNOPSIS\n";
    std::string_view rest = usage.synopsis;
    constexpr std::string_view kParting = "  |  ";
    while (!rest.empty()) {
        const std::size_t end = rest.find(kParting);
        const std::string_view line = rest.substr(0, end);
        text += rest.data() == usage.synopsis.data() ? "" : ".br\n";
        text += roff_line(synopsis_roff(line));
        rest.remove_prefix(std::min(line.size() + kParting.size(), rest.size()));
    }
    return text;
}

constexpr std::array<std::string_view, 3> kDescription{
    "kvprof builds a decode step over a paged KV cache, verifies its output, times it and explains "
    "the time; compares two variants with the interval of the difference; and judges by a policy, "
    "for CI. Runs are stored, and every report can be made again from the store.",
    "stdout carries the result and nothing else; progress, warnings and hints go to stderr.",
    "Numbers take the binary suffixes Ki, Mi and Gi. An option that is given twice takes its last "
    "value. `--` ends the options."};

/// The first paragraphs of a verb's section in docs/cli.md; what the program is.
std::string description(const Usage& usage) {
    std::vector<std::string> paragraphs(kDescription.begin(), kDescription.end());
    if (!usage.name.empty()) {
        const std::string title = fmt::format("## kvprof {}", usage.name);
        paragraphs = first_paragraphs(kManualTexts.front().second, title);
    }
    if (paragraphs.empty()) {
        paragraphs = {fmt::format("kvprof {}: {}.", usage.name, usage.summary)};
    }
    std::string text = ".SH DESCRIPTION\n";
    for (const std::string& paragraph : paragraphs) {
        text += &paragraph == &paragraphs.front() ? "" : ".PP\n";
        text += roff_line(roff_of_markdown(paragraph));
    }
    return text;
}

std::string option_entry(const OptionUsage& option) {
    std::string tag;
    for (const std::string& name : option.names) {
        tag += tag.empty() ? "" : ", ";
        tag += option.is_positional ? italic(roff_code(name)) : bold(roff_code(name));
    }
    if (!option.is_positional && !option.value.empty()) {
        tag += " " + value_roff(option.value);
    }
    std::string doc = roff_text(option.doc);
    if (!option.default_value.empty()) {
        doc += fmt::format(" [{}]", roff_code(option.default_value));
    }
    return entry(tag, doc);
}

std::string options(const Usage& usage) {
    std::string text = usage.options.empty() ? "" : ".SH OPTIONS\n";
    std::string group;
    for (const OptionUsage& option : usage.options) {
        if (option.group != group) {
            text += fmt::format(".SS {}\n", roff_text(option.group));
            group = option.group;
        }
        text += option_entry(option);
    }
    return text;
}

std::string examples(const Usage& usage) {
    std::string text = ".SH EXAMPLES\n.nf\n";
    std::string_view rest = usage.examples;
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        text += roff_line(roff_code(line));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    }
    return text + ".fi\n";
}

std::string exit_status() {
    std::string text = ".SH EXIT STATUS\n";
    for (const auto& [code, meaning] : exit_codes()) {
        text += entry(bold(fmt::format("{}", static_cast<int>(code))), roff_text(meaning));
    }
    return text + ".PP\n" + roff_line(roff_text(exit_code_precedence()));
}

std::string entries(std::string_view title, const auto& list) {
    std::string text = fmt::format(".SH {}\n", title);
    for (const Entry& one : list) {
        text += entry(bold(roff_code(one.name)), roff_of_markdown(one.meaning));
    }
    return text;
}

std::string table_section(std::string_view title, std::string_view heading_in_docs) {
    std::string text = fmt::format(".SH {}\n", title);
    for (const auto& row : first_table(kManualTexts.front().second, heading_in_docs)) {
        text += entry(roff_of_markdown(row.front()), roff_of_markdown(row.back()));
    }
    return text;
}

std::string verb_list(const std::vector<Usage>& verbs) {
    std::string text = ".SH VERBS\n";
    for (const Usage& verb : verbs) {
        text += entry(bold(roff_code(verb.name)), roff_text(verb.summary));
    }
    return text;
}

std::string see_also(const std::vector<Usage>& verbs, std::string_view own) {
    std::string text = ".SH SEE ALSO\n";
    std::vector<std::string> pages{""};
    for (const Usage& verb : verbs) {
        pages.push_back(verb.name);
    }
    std::erase(pages, own);
    for (const std::string& page : pages) {
        text += fmt::format(
            "{}(1){}\n", bold(roff_code(page_name(page))), &page == &pages.back() ? "" : ","
        );
    }
    return text;
}

} // namespace

std::string man_page(const CLI::App& program, std::string_view verb) {
    const std::vector<Usage> verbs = verb_usages(program);
    Usage usage = usage_of(program);
    if (!verb.empty()) {
        std::vector<std::string_view> names;
        for (const Usage& one : verbs) {
            names.push_back(one.name);
        }
        const auto found = std::find(names.begin(), names.end(), verb);
        if (found == names.end()) {
            refuse_choice("the verb", verb, names);
        }
        usage = verbs[static_cast<std::size_t>(found - names.begin())];
    }
    std::string text = heading(verb);
    text +=
        fmt::format(".SH NAME\n{} \\- {}\n", roff_code(page_name(verb)), roff_text(usage.summary));
    text += synopsis(usage) + description(usage);
    if (verb.empty()) {
        text += verb_list(verbs) + table_section("NAMING RUNS", "## Naming runs");
    }
    text += options(usage) + examples(usage) + exit_status();
    text += entries("ENVIRONMENT", kEnvironment) + entries("FILES", kFiles);
    return text + see_also(verbs, verb);
}

} // namespace kvprof::cli
