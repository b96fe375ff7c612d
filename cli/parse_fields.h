#pragma once

#include "capture/model/measure_spec.h"
#include "capture/model/params.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <deque>
#include <string>
#include <type_traits>

namespace kvprof::cli {

// Included by parse.cpp alone: one option per field of a specification, without naming any.

/// The text that an option got. A deque of them keeps each address, which CLI11 holds.
struct FieldText {
    std::string name;
    std::string text;
    CLI::Option* option = nullptr;
};

inline std::string value_name(std::int64_t /*value*/) {
    return "N";
}

inline std::string value_name(double /*value*/) {
    return "X";
}

inline std::string value_name(const std::string& /*value*/) {
    return "TEXT";
}

/// What --help leaves out: a choice that only tests make.
template<NamedEnum E>
bool is_hidden(E choice) {
    if constexpr (std::is_same_v<E, ExecutorKind>) {
        return choice == ExecutorKind::scripted;
    }
    return false;
}

template<NamedEnum E>
std::string value_name(E /*value*/) {
    std::string names;
    for (const auto& [choice, name] : EnumNames<E>::values) {
        if (!is_hidden(choice)) {
            names += (names.empty() ? "" : "|") + std::string(name);
        }
    }
    return names;
}

/// Adds `--NAME` for every field, in the field's section, with its sentence, choices and default.
template<typename Spec>
void add_fields(CLI::App& app, const Spec& defaults, std::deque<FieldText>& texts) {
    visit_fields(defaults, [&](const FieldInfo& field, const auto& value) {
        FieldText& slot = texts.emplace_back();
        slot.name = field.name;
        slot.option = app.add_option("--" + slot.name, slot.text, field.doc)
                          ->group(field.section)
                          ->type_name(value_name(value))
                          ->default_str(format_field(value));
    });
}

/// Sets the fields whose options were given.
template<typename Spec>
void read_fields(const std::deque<FieldText>& texts, Spec& spec) {
    for (const FieldText& slot : texts) {
        if (slot.option->count() > 0) {
            set_field(spec, slot.name, slot.text);
        }
    }
}

} // namespace kvprof::cli
