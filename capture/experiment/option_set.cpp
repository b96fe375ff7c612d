#include "capture/experiment/option_set.h"

#include "capture/model/error.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <system_error>

namespace kvprof::experiment {

namespace {

constexpr std::string_view kProgram = "program";

bool is_file(std::string_view text) {
    std::error_code ignored;
    return text.ends_with(".toml")
           || (text.find('=') == std::string_view::npos && !text.empty()
               && std::filesystem::is_regular_file(std::filesystem::path(text), ignored));
}

void add_field(OptionSet& options, std::string name, std::string value, std::string_view where) {
    const bool is_named =
        std::any_of(options.fields.begin(), options.fields.end(), [&](const Param& field) {
            return field.name == name;
        });
    if (is_named) {
        throw UsageError(fmt::format("{}could not take \"{}\" twice", where, name));
    }
    Cell probe;
    try {
        set_option(probe, name, value);
    } catch (const UsageError& error) {
        throw UsageError(fmt::format("{}{}", where, error.what()), error.hint());
    }
    options.fields.push_back({std::move(name), std::move(value)});
}

std::string text_of(const toml::node& node, std::string_view where) {
    if (const auto* const text = node.as_string()) {
        return text->get();
    }
    if (const auto* const flag = node.as_boolean()) {
        return flag->get() ? "true" : "false";
    }
    if (const auto* const whole = node.as_integer()) {
        return format_field(whole->get());
    }
    if (const auto* const real = node.as_floating_point()) {
        return format_field(real->get());
    }
    throw UsageError(
        fmt::format("{}could not take a table, a list or a date as an option's value", where),
        "write NAME = VALUE lines alone, as in batch = 64"
    );
}

std::string place_of(const std::string& file, const toml::source_region& source) {
    return fmt::format("{}:{}:{}: ", file, source.begin.line, source.begin.column);
}

OptionSet read_file(const std::string& path) {
    if (std::error_code ignored; std::filesystem::is_directory(path, ignored)) {
        throw UsageError(
            fmt::format("could not read the option set {}: it is a directory", path),
            "name a TOML file, or write FIELD=VALUE,FIELD=VALUE"
        );
    }
    OptionSet options{.text = path, .fields = {}};
    try {
        const toml::table table = toml::parse_file(path);
        for (const auto& [key, node] : table) {
            const std::string where = place_of(path, node.source());
            add_field(options, std::string(key.str()), text_of(node, where), where);
        }
    } catch (const toml::parse_error& error) {
        if (error.source().begin.line == 0) {
            throw UsageError(
                fmt::format("could not read the option set {}: {}", path, error.description()),
                "name a TOML file, or write FIELD=VALUE,FIELD=VALUE"
            );
        }
        throw UsageError(fmt::format(
            "{}could not read the option set: {}",
            place_of(path, error.source()),
            error.description()
        ));
    }
    return options;
}

template<typename Spec>
void add_differing(const Spec& a, const Spec& b, std::vector<std::string>& names) {
    const std::vector<Param> first = to_params(a);
    const std::vector<Param> second = to_params(b);
    for (std::size_t i = 0; i < first.size(); ++i) {
        if (first[i] != second[i]) {
            names.push_back(first[i].name);
        }
    }
}

} // namespace

OptionSet parse_option_set(std::string_view text) {
    if (is_file(text)) {
        return read_file(std::string(text));
    }
    OptionSet options{.text = std::string(text), .fields = {}};
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view item = rest.substr(0, comma);
        const std::size_t equals = item.find('=');
        if (equals == 0 || equals == std::string_view::npos) {
            throw UsageError(
                fmt::format(
                    "could not read the option set \"{}\": \"{}\" is no FIELD=VALUE", text, item
                ),
                "write FIELD=VALUE,FIELD=VALUE, or name a TOML file of options"
            );
        }
        add_field(
            options, std::string(item.substr(0, equals)), std::string(item.substr(equals + 1)), {}
        );
        const bool is_last = comma == rest.size();
        rest.remove_prefix(std::min(comma + 1, rest.size()));
        if (!is_last && rest.empty()) {
            throw UsageError(
                fmt::format("could not read the option set \"{}\": it ends with a comma", text)
            );
        }
    }
    return options;
}

void apply(const OptionSet& options, Cell& cell) {
    for (const Param& field : options.fields) {
        set_option(cell, field.name, field.value);
    }
}

std::vector<std::string> differing_fields(const Cell& a, const Cell& b) {
    std::vector<std::string> names;
    add_differing(a.step, b.step, names);
    add_differing(a.measure, b.measure, names);
    if (a.program != b.program) {
        names.emplace_back(kProgram);
    }
    return names;
}

} // namespace kvprof::experiment
