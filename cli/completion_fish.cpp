#include "cli/completion_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace kvprof::cli {

namespace {

constexpr std::string_view kHead =
    R"sh(# Completes the words of kvprof in fish: kvprof completion fish
# Made from the options that --help lists.

function __kvprof_is # [VERB...]: whether it is one of these; without any, whether there is none yet
    for word in (commandline -opc)[2..-1]
        string match -q -- '-*' $word; and continue
        contains -- $word $argv
        return
    end
    test (count $argv) -eq 0
end

function __kvprof_has # WORD...: whether one of them stands before the cursor
    for word in (commandline -opc)
        contains -- $word $argv; and return 0
    end
    return 1
end

function __kvprof_second_side # whether the cursor is on the second word after --ab
    set -l words (commandline -opc)
    test (count $words) -gt 2; and test "$words[-2]" = --ab; and not string match -q -- '-*' $words[-1]
end

function __kvprof_typed # the word at the cursor, without the option before =
    commandline -ct | string replace -r -- '^--?[a-z-]+=' ''
end

function __kvprof_program
    set -l words (commandline -opc)
    set -l program (string replace -r -- '^~/' "$HOME/" $words[1])
    set -l store
    for i in (seq 2 (count $words))
        if string match -q -- '--db=*' $words[$i]
            set store --db (string replace -- --db= '' $words[$i])
        else if test "$words[$i]" = --db; and set -q words[(math $i + 1)]
            set store --db $words[(math $i + 1)]
        end
    end
    set -q store[2]; and set store[2] (string replace -r -- '^~/' "$HOME/" $store[2])
    command -q -- $program; and command $program $argv $store 2>/dev/null </dev/null
end

function __kvprof_baselines
    __kvprof_program _complete baselines
end

function __kvprof_pairs # FIELD...: the word with a field before =, or a value after it
    set -l typed (__kvprof_typed)
    set -l last (string replace -r -- '^.*[,/]' '' $typed)
    if string match -q -- '*=*' $last
        set -l front (string replace -r -- '=[^=]*$' '=' $typed)
        printf '%s\n' $front(__kvprof_field (string replace -r -- '=.*' '' $last))
    else
        set -l front (string replace -r -- '[^,/]*$' '' $typed)
        printf '%s\n' $front$argv=
    end
end

function __kvprof_sides
    set -l typed (__kvprof_typed)
    if string match -qr -- '(^|,)program=[^,]*$' $typed
        set -l front (string replace -r -- '[^=]*$' '' $typed)
        printf '%s\n' $front(__fish_complete_path (string replace -r -- '^.*=' '' $typed))
    else
        __kvprof_pairs $__kvprof_fields
    end
end

function __kvprof_vary
    set -l typed (__kvprof_typed)
    if string match -q -- '*=*' $typed
        set -l front (string replace -r -- '[^=,]*$' '' $typed)
        printf '%s\n' $front(__kvprof_field (string replace -r -- '=.*' '' $typed))
    else
        printf '%s\n' $__kvprof_fields=
    end
end

function __kvprof_passes
    set -l front (__kvprof_typed | string replace -r -- '[^+]*$' '')
    printf '%s\n' $front{auto,all,timing,counts,graph,nodes,memory}
end

function __kvprof_facts
    printf '%s\n' $__kvprof_facts
end

function __kvprof_files
    __fish_complete_path (__kvprof_typed)
end

function __kvprof_references
    set -l typed (__kvprof_typed)
    set -l folder (string split -m 1 -- / $typed)[1]
    if string match -qr -- '^[./~]' $typed
        __kvprof_files
    else if string match -q -- 'baseline/*/*' $typed
        __kvprof_pairs side $__kvprof_fields
    else if string match -q -- '*/*' $typed; and test $folder != baseline; and not test -d $folder
        __kvprof_pairs side $__kvprof_fields
    else
        set -l stored (__kvprof_program _complete refs)
        if string match -q -- "$typed*" $stored
            printf '%s\n' $stored
        else
            __kvprof_files
        end
    end
end
)sh";

std::string quoted_word(std::string_view text) {
    std::string result = "'";
    for (const char letter : text) {
        if (letter == '\'' || letter == '\\') {
            result += '\\';
        }
        result += letter;
    }
    return result + "'";
}

/// "auto cuda (__kvprof_files)", as complete -a takes it.
std::string candidates_of(const Offer& offer) {
    std::string text;
    for (const std::string& one : offer) {
        text += text.empty() ? "" : " ";
        if (one == "@fields") {
            text += "(__kvprof_facts)";
        } else {
            text += one.starts_with("@") ? fmt::format("(__kvprof_{})", one.substr(1)) : one;
        }
    }
    return text;
}

/// One line for all names of an option: "-s o -l output -x -a '...' -d '...'".
std::string option_words(const OptionUsage& option, const Offer& offer) {
    std::string text;
    for (const std::string& name : option.names) {
        text += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2))
                                       : fmt::format(" -s {}", name.substr(1));
    }
    if (offer == Offer{"@files"}) {
        text += " -r -F";
    } else if (!option.value.empty()) {
        text += " -x";
        text += offer.empty() ? "" : fmt::format(" -k -a {}", quoted_word(candidates_of(offer)));
    }
    return text + fmt::format(" -d {}\n", quoted_word(option.doc));
}

/// Options that are alike in several verbs stand once.
std::string option_lines(const CompletionTable& table) {
    std::vector<std::string> lines; // in the order of the first verb that has them
    std::map<std::string, std::vector<std::string>> verbs;
    std::vector<std::string> ab;
    for (const Usage& verb : table.verbs) {
        for (const OptionUsage& option : verb.options) {
            if (option.is_positional) {
                continue;
            }
            const std::string line = option_words(option, table.offer_of(option));
            if (verbs[line].empty()) {
                lines.push_back(line);
            }
            verbs[line].push_back(verb.name);
            if (option.most_values > 1) {
                ab.push_back(verb.name);
            }
        }
    }
    std::string text;
    for (const std::string& line : lines) {
        text += fmt::format(
            "complete -c kvprof -n '__kvprof_is {}'{}", fmt::join(verbs[line], " "), line
        );
    }
    return text
           + fmt::format(
               "complete -c kvprof -n '__kvprof_is {}; and __kvprof_second_side' -a "
               "'(__kvprof_sides)'\n",
               fmt::join(ab, " ")
           );
}

/// Fish does not count words, so that only an action has a place of its own.
std::string place_lines(const CompletionTable& table) {
    std::string text;
    for (const Usage& verb : table.verbs) {
        const Places places = table.places_of(verb);
        const Offer& actions = places.first;
        std::string condition = fmt::format("__kvprof_is {}", verb.name);
        Offer others = places.first;
        for (const std::string& one : places.others) {
            if (std::find(others.begin(), others.end(), one) == others.end()) {
                others.push_back(one);
            }
        }
        const bool has_actions =
            !actions.empty() && !actions.front().starts_with("@") && !places.others.empty();
        if (has_actions) {
            const std::string words = fmt::format("{}", fmt::join(actions, " "));
            text += fmt::format(
                "complete -c kvprof -n '{0}; and not __kvprof_has {1}' -k -a '{1}'\n",
                condition,
                words
            );
            condition += fmt::format("; and __kvprof_has {}", words);
            others = places.others;
        }
        if (!others.empty()) {
            text += fmt::format(
                "complete -c kvprof -n '{}' -k -a '{}'\n", condition, candidates_of(others)
            );
        }
    }
    return text;
}

std::string field_function(const CompletionTable& table) {
    std::string text = "\nfunction __kvprof_field # FIELD: its values\n    switch $argv[1]\n";
    for (const std::string& field : table.fields) {
        Offer values = table.values_of(field);
        std::erase_if(values, [](const std::string& one) { return one.starts_with("@"); });
        if (!values.empty()) {
            text += fmt::format(
                "        case {}\n            printf '%s\\n' {}\n", field, fmt::join(values, " ")
            );
        }
    }
    return text + "        case side\n            printf '%s\\n' a b\n    end\nend\n\n";
}

} // namespace

std::string fish_script(const CompletionTable& table) {
    std::string text = fmt::format(
        "{}\nset -g __kvprof_fields {}\nset -g __kvprof_facts {}\n{}complete -c kvprof -f\n",
        kHead,
        fmt::join(table.fields, " "),
        fmt::join(table.facts, " "),
        field_function(table)
    );
    for (const OptionUsage& option : table.program.options) {
        text += "complete -c kvprof -n __kvprof_is" + option_words(option, {});
    }
    for (const Usage& verb : table.verbs) {
        text += fmt::format(
            "complete -c kvprof -n __kvprof_is -a {} -d {}\n", verb.name, quoted_word(verb.summary)
        );
    }
    return text + option_lines(table) + place_lines(table);
}

} // namespace kvprof::cli
