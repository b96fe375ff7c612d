#include "cli/completion_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace kvprof::cli {

namespace {

constexpr std::string_view kHead =
    R"sh(# Completes the words of kvprof in bash: kvprof completion bash
# Made from the options that --help lists.
)sh";

// Bash parts words at = : and @ too, and wants back what follows the last of these: `start` is what
// comes before it. Variables are those of _kvprof, which calls all the others.
constexpr std::string_view kBody = R"sh(
_kvprof_add() { # WORD: is offered when it goes on from what was typed
    local word=$kept$1
    [[ $word == "$typed"* ]] || return 0
    if [[ $word == *[!A-Za-z0-9_@%+=:,./~-]* || $word == '~'* ]]; then
        [[ -z $mark ]] || return 0
        printf -v word %q "$word"
    fi
    [[ $word == "$start"* ]] && COMPREPLY+=("${word#"$start"}")
}

_kvprof_program() {
    local program=${words[0]} place=$store
    program=${program//[\"\'\\]/}
    place=${place//[\"\'\\]/}
    [[ $program == '~/'* ]] && program=$HOME/${program#*/}
    [[ $place == '~/'* ]] && place=$HOME/${place#*/}
    "$program" "$@" ${place:+--db "$place"} 2> /dev/null < /dev/null
}

_kvprof_stored() { # refs|baselines
    local word
    while IFS=$'\t' read -r word _; do
        _kvprof_add "$word"
    done < <(_kvprof_program _complete "$1")
}

_kvprof_pairs() { # FIELD...: the fields that may stand before =
    local rest=${typed#"$kept"} last field
    last=${rest##*,}
    kept+=${rest%"$last"}
    if [[ $last == *=* ]]; then
        kept+=${last%%=*}=
        _kvprof_field "${last%%=*}"
        _kvprof_fill "$offer"
        return
    fi
    for field; do
        _kvprof_add "$field="
    done
}

_kvprof_fill() { # OFFER
    local one rest=${typed#"$kept"}
    for one in $1; do
        case $one in
        @files) files=yes ;;
        @baselines) _kvprof_stored baselines ;;
        @fields) _kvprof_fill "$_kvprof_facts" ;;
        @sides) _kvprof_pairs $_kvprof_fields ;;
        @passes)
            [[ $rest == *+* ]] && kept+=${rest%+*}+
            _kvprof_fill 'auto all timing counts graph nodes memory'
            ;;
        @vary)
            if [[ $rest == *=* ]]; then
                _kvprof_field "${rest%%=*}"
                kept+=${rest%%=*}=
                rest=${rest#*=}
                [[ $rest == *,* ]] && kept+=${rest%,*},
                _kvprof_fill "$offer"
            else
                _kvprof_pairs $_kvprof_fields
            fi
            ;;
        @references)
            if [[ $rest == [./~]* ]]; then
                files=yes
            elif [[ $rest == baseline/*/* ]] || [[ $rest == */* && $rest != baseline/* && ! -d ${rest%%/*} ]]; then
                kept+=${rest%/*}/
                _kvprof_pairs side $_kvprof_fields
            else
                _kvprof_stored refs
                ((${#COMPREPLY[@]})) || files=yes
            fi
            ;;
        *) _kvprof_add "$one" ;;
        esac
    done
}

_kvprof_files() {
    local word
    compopt -o filenames 2> /dev/null
    while IFS= read -r word; do
        word=$kept$word
        [[ $word == "$start"* ]] && COMPREPLY+=("${word#"$start"}")
    done < <(compgen -f -- "${typed#"$kept"}")
}

_kvprof_words() { # sets words and n: the words up to the cursor, split at spaces alone
    local line=${COMP_LINE:0:COMP_POINT} word i
    line=${line#"${line%%[![:space:]]*}"}
    words=()
    n=0
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $line == [[:space:]]* ]]; then
            line=${line#"${line%%[![:space:]]*}"}
            ((n += 1))
        fi
        ((i == COMP_CWORD)) && word=$line
        words[n]+=$word
        line=${line#"$word"}
    done
}

_kvprof_read() { # sets verb, store, ends, places, and what the option before the cursor takes
    local i word option
    for ((i = 1; i < n; i++)); do
        word=${words[i]}
        if [[ -z $verb ]]; then
            [[ $word == -* ]] || verb=$word
        elif ((most > 0)) && [[ $most == 1 || $word != -* ]]; then
            [[ $option == --db ]] && store=$word
            ((most -= 1))
        elif [[ -n $ends || $word != -?* ]]; then
            most=0
            ((places += 1))
        elif [[ $word == -- ]]; then
            ends=yes
            most=0
        elif [[ $word == --*=* ]]; then
            [[ $word == --db=* ]] && store=${word#*=}
            most=0
        else
            option=$word
            _kvprof_value "$verb" "$option" || most=0
        fi
    done
}

_kvprof() {
    local IFS=$' \t\n' words n verb= store= ends= places=0 most=0 offer= files=
    COMPREPLY=()
    _kvprof_words
    _kvprof_read
    local typed=${words[n]} mark= start= kept=
    case $typed in
    [\"\']*)
        mark=${typed:0:1}
        typed=${typed:1}
        ;;
    esac
    [[ $typed == *"$2" ]] && start=${typed%"$2"}
    [[ -n $mark ]] || typed=${typed//\\/}

    if [[ -z $verb ]]; then
        offer=$_kvprof_verbs
        [[ $typed == -* ]] && offer=$_kvprof_program_options
    elif ((most > 0)) && [[ $most == 1 || $typed != -* ]]; then
        : # the value of the option before: _kvprof_value has set the offer
    elif [[ -z $ends && $typed == --*=* ]]; then
        kept=${typed%%=*}=
        _kvprof_value "$verb" "${typed%%=*}" || return 0
    elif [[ -z $ends && $typed == -* ]]; then
        _kvprof_options "$verb"
    else
        _kvprof_place "$verb" "$places"
    fi
    _kvprof_fill "$offer"
    [[ -n $files ]] && _kvprof_files
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2> /dev/null
    return 0
}

complete -o nosort -F _kvprof kvprof 2> /dev/null || complete -F _kvprof kvprof
)sh";

std::string options_of(const Usage& usage) {
    std::string text;
    for (const OptionUsage& option : usage.options) {
        for (const std::string& name : option.names) {
            if (!option.is_positional) {
                text += (text.empty() ? "" : " ") + name;
            }
        }
    }
    return text;
}

/// By option, what its value can be in which verb. The words that it takes come before the offer.
using Values = std::map<std::string, std::map<std::string, std::vector<std::string>>>;

Values values_of(const CompletionTable& table) {
    Values values;
    for (const Usage& verb : table.verbs) {
        for (const OptionUsage& option : verb.options) {
            if (option.is_positional || option.value.empty()) {
                continue;
            }
            const std::string offer =
                fmt::format("{}:{}", option.most_values, fmt::join(table.offer_of(option), " "));
            for (const std::string& name : option.names) {
                values[name][offer].push_back(verb.name);
            }
        }
    }
    return values;
}

/// _kvprof_value VERB OPTION sets offer and most; fails for what takes no value.
std::string value_function(const CompletionTable& table) {
    std::map<std::string, std::vector<std::string>> patterns; // by offer
    for (const auto& [name, offers] : values_of(table)) {
        for (const auto& [offer, verbs] : offers) {
            if (offers.size() == 1) {
                patterns[offer].push_back(fmt::format("*' {}'", name));
                continue;
            }
            for (const std::string& verb : verbs) {
                patterns[offer].push_back(fmt::format("'{} {}'", verb, name));
            }
        }
    }
    std::string text = "\n_kvprof_value() { # VERB OPTION\n    case \"$1 $2\" in\n";
    for (const auto& [offer, of] : patterns) {
        text += fmt::format(
            "    {})\n        most={} offer='{}'\n        ;;\n",
            fmt::join(of, " | \\\n        "),
            offer.substr(0, 1),
            offer.substr(2)
        );
    }
    return text + "    *) return 1 ;;\n    esac\n}\n";
}

std::string options_function(const CompletionTable& table) {
    std::string text = "\n_kvprof_options() { # VERB\n    case $1 in\n";
    for (const Usage& verb : table.verbs) {
        text += fmt::format("    {}) offer='{}' ;;\n", verb.name, options_of(verb));
    }
    return text + "    esac\n}\n";
}

std::string place_function(const CompletionTable& table) {
    std::string text = "\n_kvprof_place() { # VERB PLACE\n    case \"$1 $2\" in\n";
    for (const Usage& verb : table.verbs) {
        const Places places = table.places_of(verb);
        if (places.first != places.others) {
            text +=
                fmt::format("    '{} 0') offer='{}' ;;\n", verb.name, fmt::join(places.first, " "));
        }
        text +=
            fmt::format("    '{} '*) offer='{}' ;;\n", verb.name, fmt::join(places.others, " "));
    }
    return text + "    esac\n}\n";
}

std::string field_function(const CompletionTable& table) {
    std::string text = "\n_kvprof_field() { # FIELD: its values\n    case $1 in\n";
    for (const std::string& field : table.fields) {
        if (const Offer values = table.values_of(field); !values.empty()) {
            text += fmt::format("    {}) offer='{}' ;;\n", field, fmt::join(values, " "));
        }
    }
    text += fmt::format("    side) offer='{}' ;;\n", fmt::join(table.values_of("side"), " "));
    return text + "    *) offer= ;;\n    esac\n}\n";
}

} // namespace

std::string bash_script(const CompletionTable& table) {
    std::string text(kHead);
    text += "\n_kvprof_verbs='";
    for (const Usage& verb : table.verbs) {
        text += (&verb == &table.verbs.front() ? "" : " ") + verb.name;
    }
    text += fmt::format(
        "'\n_kvprof_program_options='{}'\n_kvprof_fields='{}'\n_kvprof_facts='{}'\n",
        options_of(table.program),
        fmt::join(table.fields, " "),
        fmt::join(table.facts, " ")
    );
    text += options_function(table) + value_function(table) + place_function(table);
    return text + field_function(table) + std::string(kBody);
}

} // namespace kvprof::cli
