#include "cli/completion.h"

#include "capture/model/op_kind.h"
#include "capture/model/params.h"
#include "capture/model/run.h"
#include "capture/model/sweep_axis.h"
#include "capture/workload/backend.h"
#include "capture/workload/plan_ops.h"
#include "capture/workload/preset.h"
#include "cli/completion_table.h"

#include <algorithm>
#include <cctype>

namespace kvprof::cli {

namespace {

bool is_lower(char letter) {
    return std::islower(static_cast<unsigned char>(letter)) != 0;
}

std::vector<std::string> split(std::string_view text, std::string_view at) {
    std::vector<std::string> parts;
    for (std::size_t end = text.find(at); end != std::string_view::npos; end = text.find(at)) {
        parts.emplace_back(text.substr(0, end));
        text.remove_prefix(end + at.size());
    }
    parts.emplace_back(text);
    return parts;
}

void add(Offer& offer, const std::string& what) {
    if (std::find(offer.begin(), offer.end(), what) == offer.end()) {
        offer.push_back(what);
    }
}

/// "auto" and "cuda" of "auto|cuda"; of "N|auto" only what is written as it stands.
void add_kind(Offer& offer, const std::string& kind) {
    if (std::any_of(kind.begin(), kind.end(), is_lower)) {
        add(offer, kind);
    } else if (kind.starts_with("REF") || kind == "A" || kind == "B") {
        add(offer, "@references");
    } else if (kind == "SIDES" || kind.starts_with("FIELD=VALUE")) {
        add(offer, "@sides");
    } else if (kind.starts_with("FIELD=")) {
        add(offer, "@vary");
    } else if (kind == "FIELD") {
        add(offer, "@fields");
    } else if (kind == "FILE" || kind == "DIR" || kind == "STORE" || kind == "BUNDLE") {
        add(offer, "@files");
    }
}

/// Values whose names the parser does not know.
void add_named(Offer& offer, const std::string& name) {
    if (name == "--baseline") {
        add(offer, "@baselines");
    } else if (name == "--passes") {
        add(offer, "@passes");
    } else if (name == "--preset") {
        for (const workload::ModelSpec& preset : workload::built_in_presets()) {
            add(offer, preset.name);
        }
        add(offer, "@files");
    } else if (name == "--attention-backend") {
        for (const workload::Backend& backend : workload::built_in_backends()) {
            add(offer, backend.name);
        }
        add(offer, "@files");
    } else if (name == "--axis") {
        for (const auto& [axis, word] : EnumNames<SweepAxis>::values) {
            add(offer, std::string(word) + "=");
        }
    } else if (name == "--op" || name == "--delay-op") {
        for (const auto& [op, word] : EnumNames<OpKind>::values) {
            if (name != "--op" || workload::can_run_alone(op)) {
                add(offer, word);
            }
        }
    }
}

/// "REF" of "[REF]" and of "REF...".
std::string bare(std::string_view word) {
    const std::size_t begin = std::min(word.find_first_not_of('['), word.size());
    return std::string(word.substr(begin, word.find_first_of(".]", begin) - begin));
}

/// The words of each alternative of "kvprof baseline set NAME REF...  |  kvprof baseline ls" that
/// follow the verb.
std::vector<std::vector<std::string>> alternatives_of(const Usage& verb) {
    std::vector<std::vector<std::string>> alternatives;
    for (const std::string& alternative : split(verb.synopsis, "  |  ")) {
        std::vector<std::string> words = split(alternative, " ");
        words.erase(words.begin(), words.begin() + std::min<std::ptrdiff_t>(2, std::ssize(words)));
        alternatives.push_back(std::move(words));
    }
    return alternatives;
}

Offer actions_of(const Usage& verb) {
    Offer actions;
    for (const std::vector<std::string>& words : alternatives_of(verb)) {
        if (!words.empty() && std::all_of(words[0].begin(), words[0].end(), is_lower)) {
            add(actions, words[0]);
        }
    }
    return actions;
}

/// What the words in capitals stand for, other than values of options.
Offer kinds_of(const Usage& verb) {
    Offer offer;
    for (const std::vector<std::string>& words : alternatives_of(verb)) {
        bool is_value = false;
        for (const std::string& word : words) {
            const std::string kind = bare(word);
            if (!is_value && std::none_of(kind.begin(), kind.end(), is_lower)) {
                add_kind(offer, kind);
            }
            is_value = kind.starts_with("--");
        }
    }
    return offer;
}

} // namespace

Offer CompletionTable::offer_of(const OptionUsage& option) const {
    Offer offer;
    for (const std::string& kind : split(option.value, "|")) {
        add_kind(offer, kind);
    }
    for (const std::string& name : option.names) {
        add_named(offer, name);
    }
    return offer;
}

Places CompletionTable::places_of(const Usage& verb) const {
    Places places;
    const auto positional =
        std::find_if(verb.options.begin(), verb.options.end(), [](const auto& one) {
            return one.is_positional;
        });
    if (positional == verb.options.end()) {
        return places;
    }
    const std::string& name = positional->names.front();
    places.others = kinds_of(verb);
    if (name == "ACTION") {
        places.first = actions_of(verb);
        return places;
    }
    for (const std::string& kind : split(positional->value, "|")) {
        add_kind(places.first, kind);
    }
    // A tag that is named may be there already.
    add_kind(places.first, name == "NAME" && verb.name == "tag" ? "REF" : name);
    for (const Usage& other : verbs) {
        if (name == "VERB" || name == "TOPIC") {
            add(places.first, other.name);
        }
    }
    if (name == "TOPIC") {
        add(places.first, "exit-codes");
    }
    return places;
}

Offer CompletionTable::values_of(std::string_view field) const {
    if (field == "program") {
        return {"@files"};
    }
    if (field == "side") {
        return {"a", "b"};
    }
    for (const OptionUsage& option : verbs.front().options) {
        if (option.names.back().substr(2) == field) {
            return offer_of(option);
        }
    }
    return {};
}

CompletionTable completion_table(const CLI::App& program) {
    CompletionTable table{usage_of(program), verb_usages(program), {}, {}};
    std::vector<Param> params = to_params(StepSpec{});
    const std::vector<Param> measure = to_params(MeasureSpec{});
    params.insert(params.end(), measure.begin(), measure.end());
    for (const Param& param : params) {
        table.fields.push_back(param.name);
    }
    table.fields.emplace_back("program");
    table.facts = table.fields;
    table.facts.insert(table.facts.end(), {"pool.schedulable-tokens", "pool.state-slots"});
    for (const Param& fact : to_params(Environment{})) {
        table.facts.push_back(fact.name);
    }
    return table;
}

std::string completion_script(const CLI::App& program, Shell shell) {
    const CompletionTable table = completion_table(program);
    switch (shell) {
    case Shell::bash: return bash_script(table);
    case Shell::zsh: return zsh_script(table);
    case Shell::fish: break;
    }
    return fish_script(table);
}

} // namespace kvprof::cli
