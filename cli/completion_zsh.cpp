#include "cli/completion_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kvprof::cli {

namespace {

// A file of the name _kvprof in a folder of $fpath, or read by `source <(kvprof completion zsh)`.
constexpr std::string_view kHead = R"sh(#compdef kvprof
# Completes the words of kvprof in zsh: kvprof completion zsh
# Made from the options that --help lists.
)sh";

constexpr std::string_view kBody = R"sh(
_kvprof_program() {
    local program=${(Q)kvprof_program} store=
    local -i at=${words[(I)--db]}
    if ((at > 0 && at < CURRENT)); then
        store=${(Q)words[at + 1]}
    else
        store=${${(Q)words[(R)--db=*]}#--db=}
    fi
    program=${program/#\~\//$HOME/}
    store=${store/#\~\//$HOME/}
    $program "$@" ${store:+--db} ${store:+$store} 2> /dev/null < /dev/null
}

_kvprof_stored() { # refs|baselines
    local -a names shown
    local line expl
    for line in ${(f)"$(_kvprof_program _complete $1)"}; do
        names+=("${line%%$'\t'*}")
        shown+=("${line%%$'\t'*}  -- ${line#*$'\t'}")
    done
    _wanted -V references expl $1 compadd -l -d shown -a names
}

_kvprof_choices() { # WORD...
    local -a choices
    choices=("$@")
    local expl
    _wanted values expl value compadd -a choices
}

_kvprof_pairs() { # FIELD...: the fields that may stand before =
    local last=${PREFIX##*,}
    if [[ $last == *=* ]]; then
        compset -P '*='
        compset -S ',*'
        _kvprof_field ${last%%=*}
        return
    fi
    [[ $PREFIX == *,* ]] && compset -P '*,'
    local -a fields
    fields=("$@")
    local expl
    _wanted fields expl field compadd -S = -a fields
}

_kvprof_vary() {
    if [[ $PREFIX != *=* ]]; then
        _kvprof_pairs $_kvprof_fields
        return
    fi
    local field=${PREFIX%%=*}
    compset -P '*[=,]'
    compset -S ',*'
    _kvprof_field $field
}

_kvprof_references() {
    if [[ $PREFIX == [./~]* ]]; then
        _files
    elif [[ $PREFIX == baseline/*/* ]] || [[ $PREFIX == */* && $PREFIX != baseline/* && ! -d ${PREFIX%%/*} ]]; then
        compset -P '*/'
        _kvprof_pairs side $_kvprof_fields
    else
        _kvprof_stored refs || _files
    fi
}

_kvprof_any() { # OFFER...
    local -a known
    local one
    local -i ret=1
    for one; do
        case $one in
        @files) _files && ret=0 ;;
        @references) _kvprof_references && ret=0 ;;
        @baselines) _kvprof_stored baselines && ret=0 ;;
        @fields) _kvprof_choices $_kvprof_facts && ret=0 ;;
        @sides) _kvprof_pairs $_kvprof_fields && ret=0 ;;
        @vary) _kvprof_vary && ret=0 ;;
        @passes)
            [[ $PREFIX == *+* ]] && compset -P '*+'
            known+=(auto all timing counts graph nodes memory)
            ;;
        *) known+=($one) ;;
        esac
    done
    (($#known)) && _kvprof_choices $known && ret=0
    return ret
}

if [[ $funcstack[1] == _kvprof ]]; then
    _kvprof "$@"
else
    compdef _kvprof kvprof
fi
)sh";

// What _arguments makes of the words holds to the end of the function that calls it.
constexpr std::string_view kFirst = R"sh(
_kvprof() {
    local kvprof_program=$words[1] curcontext=$curcontext state line
    local -A opt_args
    local -i ret=1
    _arguments -C -s -S)sh";

constexpr std::string_view kRest = R"sh( \
            '1: :_kvprof_verbs' '*:: :->rest' && ret=0
    if [[ $state == rest ]]; then
        curcontext=${curcontext%:*:*}:kvprof-$words[1]:
        _kvprof_rest $words[1] && ret=0
    fi
    return ret
}
)sh";

/// `text` with a backslash before each of `special`.
std::string escaped(std::string_view text, std::string_view special) {
    std::string result;
    for (const char letter : text) {
        if (special.find(letter) != std::string_view::npos) {
            result += '\\';
        }
        result += letter;
    }
    return result;
}

std::string quoted_word(std::string_view text) {
    std::string result = "'";
    for (const char letter : text) {
        result += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    }
    return result + "'";
}

/// ":VALUE: _kvprof_any word @files", once for each word that the option takes.
std::string value_spec(const OptionUsage& option, const Offer& offer) {
    std::string spec;
    for (int i = 0; i < option.most_values && !option.value.empty(); ++i) {
        spec += fmt::format(
            ":{}: {}",
            escaped(option.value, ":\\"),
            offer.empty() ? "" : fmt::format("_kvprof_any {}", fmt::join(offer, " "))
        );
    }
    return spec;
}

/// Specifications of _arguments, one for each name of an option.
std::string option_specs(const OptionUsage& option, const Offer& offer) {
    std::string text;
    for (const std::string& name : option.names) {
        std::string spec;
        if (option.is_repeatable) {
            spec += "*";
        } else if (option.names.size() > 1) {
            spec += fmt::format("({})", fmt::join(option.names, " "));
        }
        spec += name;
        if (!option.value.empty() && option.most_values == 1) {
            spec += name.starts_with("--") ? "=" : "+";
        }
        spec += fmt::format("[{}]", escaped(option.doc, "[]\\"));
        text += fmt::format(" \\\n            {}", quoted_word(spec + value_spec(option, offer)));
    }
    return text;
}

std::string place_specs(const Places& places) {
    const auto spec = [](std::string_view at, const Offer& offer) {
        return fmt::format(" \\\n            '{}: : _kvprof_any {}'", at, fmt::join(offer, " "));
    };
    std::string text;
    if (places.first != places.others && !places.first.empty()) {
        text += spec("1", places.first);
    }
    return places.others.empty() ? text : text + spec("*", places.others);
}

/// _kvprof_rest VERB: what follows it.
std::string rest_function(const CompletionTable& table) {
    std::string text = "\n_kvprof_rest() { # VERB\n    case $1 in\n";
    for (const Usage& verb : table.verbs) {
        text += fmt::format("    {})\n        _arguments -s -S", verb.name);
        for (const OptionUsage& option : verb.options) {
            if (!option.is_positional) {
                text += option_specs(option, table.offer_of(option));
            }
        }
        text += place_specs(table.places_of(verb)) + "\n        ;;\n";
    }
    return text + "    *) return 1 ;;\n    esac\n}\n";
}

/// _kvprof: the verb, and the options that stand before it; then the rest.
std::string first_function(const CompletionTable& table) {
    std::string text = "\n_kvprof_verbs() {\n    local -a verbs\n    verbs=(\n";
    for (const Usage& verb : table.verbs) {
        text += fmt::format(
            "        {}\n",
            quoted_word(fmt::format("{}:{}", verb.name, escaped(verb.summary, ":\\")))
        );
    }
    text += "    )\n    _describe -t verbs verb verbs\n}\n";
    text += kFirst;
    for (const OptionUsage& option : table.program.options) {
        text += option_specs(option, {});
    }
    return text + std::string(kRest);
}

std::string field_function(const CompletionTable& table) {
    std::string text = "\n_kvprof_field() { # FIELD: its values\n    case $1 in\n";
    for (const std::string& field : table.fields) {
        if (const Offer values = table.values_of(field); !values.empty()) {
            text += fmt::format("    {}) _kvprof_any {} ;;\n", field, fmt::join(values, " "));
        }
    }
    return text
           + fmt::format(
               "    side) _kvprof_any {} ;;\n    *) _message value ;;\n    esac\n}}\n",
               fmt::join(table.values_of("side"), " ")
           );
}

} // namespace

std::string zsh_script(const CompletionTable& table) {
    return fmt::format(
        "{}\n_kvprof_fields=({})\n_kvprof_facts=({})\n{}{}{}{}",
        kHead,
        fmt::join(table.fields, " "),
        fmt::join(table.facts, " "),
        field_function(table),
        first_function(table),
        rest_function(table),
        kBody
    );
}

} // namespace kvprof::cli
