#pragma once

#include "capture/model/enum_names.h"
#include "capture/model/field.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof {

/// One field of a specification as text: what is stored, diffed and handed to a child process.
struct Param {
    std::string name;
    std::string value;

    friend bool operator==(const Param&, const Param&) = default;
};

[[nodiscard]] std::string format_field(std::int64_t value);
[[nodiscard]] std::string format_field(double value); ///< shortest text that reads back the same
[[nodiscard]] std::string format_field(const std::string& value);

template<NamedEnum E>
[[nodiscard]] std::string format_field(E value) {
    return std::string(to_string(value));
}

/// Reads one value. @throws UsageError that names the field and suggests the nearest choice.
void parse_field(std::string_view name, std::string_view text, std::int64_t& value);
void parse_field(std::string_view name, std::string_view text, double& value);
void parse_field(std::string_view name, std::string_view text, std::string& value);

/// @param name of the option, without its dashes; or of a word that has none: "the shell"
/// @throws UsageError listing `choices` and the one nearest to `text`.
[[noreturn]] void refuse_choice(
    std::string_view name, std::string_view text, const std::vector<std::string_view>& choices
);

template<NamedEnum E>
[[nodiscard]] std::vector<std::string_view> choices_of() {
    std::vector<std::string_view> names;
    for (const auto& [enumerator, name] : EnumNames<E>::values) {
        names.emplace_back(name);
    }
    return names;
}

template<NamedEnum E>
void parse_field(std::string_view name, std::string_view text, E& value) {
    if (const auto parsed = parse_enum<E>(text)) {
        value = *parsed;
        return;
    }
    refuse_choice(name, text, choices_of<E>());
}

/// Every field of a specification, in declaration order.
template<typename Spec>
[[nodiscard]] std::vector<Param> to_params(const Spec& spec) {
    std::vector<Param> params;
    visit_fields(spec, [&](const FieldInfo& field, const auto& value) {
        params.push_back({field.name, format_field(value)});
    });
    return params;
}

/// Sets the field called `name`; returns false when the specification has no such field.
/// @throws UsageError when the text is no value of that field.
template<typename Spec>
bool set_field(Spec& spec, std::string_view name, std::string_view text) {
    bool found = false;
    visit_fields(spec, [&](const FieldInfo& field, auto& value) {
        if (name == field.name) {
            parse_field(name, text, value);
            found = true;
        }
    });
    return found;
}

/// The candidate with the least edit distance to `text`; empty when none is near (over a third of
/// the longer word would change).
[[nodiscard]] std::string_view
nearest(std::string_view text, const std::vector<std::string_view>& candidates);

} // namespace kvprof
