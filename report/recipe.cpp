#include "report/recipe.h"

#include "analyzers/policy.h"
#include "capture/model/error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace kvprof::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "kvprof.recipe/1";

[[noreturn]] void refuse(const std::string& cause, const std::string& hint) {
    throw UsageError("could not read the recipe of the report: " + cause, hint);
}

[[noreturn]] void refuse_damaged(const std::string& cause) {
    refuse(cause, "copy the report again, whole: it was damaged on its way here");
}

Json object_of(const EmbeddedFile& file) {
    return {{"origin", file.origin}, {"text", file.text}};
}

Json object_of(const RecipeRuns& side) {
    Json json{{"label", side.label}};
    if (!side.experiment.empty()) {
        json["experiment"] = side.experiment;
    }
    if (!side.runs.empty()) {
        json["runs"] = side.runs;
    }
    return json;
}

/// The switches under their names in JSON.
constexpr std::array kSwitches{
    std::pair{"listing", &Recipe::is_listing},
    std::pair{"gate", &Recipe::is_gate},
    std::pair{"stored_baseline", &Recipe::is_stored_baseline},
    std::pair{"allow_single_layout", &Recipe::allows_single_layout},
    std::pair{"strict_env", &Recipe::is_strict_env},
    std::pair{"unpaired", &Recipe::is_unpaired}};

constexpr std::array kLists{
    std::pair{"treatment", &Recipe::treatment},
    std::pair{"allow_mismatch", &Recipe::allowed_mismatch},
    std::pair{"remarks", &Recipe::remarks},
    std::pair{"calibrations", &Recipe::calibrations}};

constexpr std::array kTexts{
    std::pair{"by", &Recipe::by},
    std::pair{"on_inconclusive", &Recipe::on_inconclusive},
    std::pair{"confirmation", &Recipe::confirmation},
    std::pair{"day", &Recipe::day}};

constexpr std::array kFiles{
    std::pair{"policy", &Recipe::policy}, std::pair{"claims", &Recipe::claims}};

std::string text_in(const Json& json, std::string_view key) {
    if (!json.is_string()) {
        refuse_damaged(fmt::format("\"{}\" is no text", key));
    }
    return json.get<std::string>();
}

std::int64_t count_in(const Json& json, std::string_view key) {
    if (!json.is_number_integer()) {
        refuse_damaged(fmt::format("\"{}\" is no whole number", key));
    }
    return json.get<std::int64_t>();
}

std::vector<std::string> list_in(const Json& json, std::string_view key) {
    if (!json.is_array()) {
        refuse_damaged(fmt::format("\"{}\" is no list", key));
    }
    std::vector<std::string> list;
    for (const Json& element : json) {
        list.push_back(text_in(element, key));
    }
    return list;
}

/// Another version of this program knows more: to pass over it would derive another report.
[[noreturn]] void refuse_member(std::string_view key) {
    refuse(
        fmt::format("this program does not know its member \"{}\"", key),
        "use the version of kvprof that wrote the report, or a newer one"
    );
}

template<typename Known>
void require_object(const Json& json, std::string_view what, const Known& is_known) {
    if (!json.is_object()) {
        refuse_damaged(fmt::format("\"{}\" is no object", what));
    }
    for (const auto& [key, value] : json.items()) {
        if (!is_known(key)) {
            refuse_member(key);
        }
    }
}

EmbeddedFile file_in(const Json& json, std::string_view key) {
    require_object(json, key, [](std::string_view name) {
        return name == "origin" || name == "text";
    });
    EmbeddedFile file;
    file.origin = text_in(json.value("origin", Json("")), "origin");
    file.text = text_in(json.value("text", Json("")), "text");
    return file;
}

RecipeRuns side_in(const Json& json) {
    require_object(json, "sides", [](std::string_view name) {
        return name == "label" || name == "experiment" || name == "runs";
    });
    RecipeRuns side;
    side.label = text_in(json.value("label", Json("")), "label");
    side.experiment = text_in(json.value("experiment", Json("")), "experiment");
    side.runs = list_in(json.value("runs", Json::array()), "runs");
    if (side.experiment.empty() && side.runs.empty()) {
        refuse_damaged("one of its sides names no runs");
    }
    return side;
}

std::vector<RecipeRuns> sides_in(const Json& json) {
    constexpr std::size_t kMost = 2;
    if (!json.is_array() || json.empty() || json.size() > kMost) {
        refuse_damaged("it does not have one or two sides");
    }
    std::vector<RecipeRuns> sides;
    for (const Json& element : json) {
        sides.push_back(side_in(element));
    }
    return sides;
}

template<NamedEnum E>
E choice_in(const Json& json, std::string_view key) {
    const std::string word = text_in(json, key);
    const std::optional<E> choice = parse_enum<E>(word);
    if (!choice) {
        refuse(
            fmt::format("\"{}\" is no {} that this program knows", word, key),
            "use the version of kvprof that wrote the report, or a newer one"
        );
    }
    return *choice;
}

/// @return whether the member is one of the lists of members above
bool read_listed(std::string_view key, const Json& value, Recipe& recipe) {
    for (const auto& [name, member] : kSwitches) {
        if (key == name) {
            if (!value.is_boolean()) {
                refuse_damaged(fmt::format("\"{}\" is neither true nor false", key));
            }
            recipe.*member = value.get<bool>();
            return true;
        }
    }
    for (const auto& [name, member] : kLists) {
        if (key == name) {
            recipe.*member = list_in(value, key);
            return true;
        }
    }
    for (const auto& [name, member] : kTexts) {
        if (key == name) {
            recipe.*member = text_in(value, key);
            return true;
        }
    }
    for (const auto& [name, member] : kFiles) {
        if (key == name) {
            recipe.*member = file_in(value, key);
            return true;
        }
    }
    return false;
}

void require_schema(const Json& json) {
    const std::string schema =
        json.is_object() ? text_in(json.value("schema", Json("")), "schema") : std::string();
    if (schema == kSchema) {
        return;
    }
    if (schema.starts_with("kvprof.recipe/")) {
        refuse(
            fmt::format("it is of version {}, and this program reads {}", schema, kSchema),
            "use the version of kvprof that wrote the report, or a newer one"
        );
    }
    refuse_damaged(fmt::format("it is no {}", kSchema));
}

} // namespace

std::string recipe_json(const Recipe& recipe) {
    Json json{{"schema", kSchema}, {"format", to_string(recipe.format)}};
    if (recipe.format == Format::csv) {
        json["table"] = to_string(recipe.table);
    }
    json["sides"] = Json::array();
    for (const RecipeRuns& side : recipe.sides) {
        json["sides"].push_back(object_of(side));
    }
    for (const auto& [name, member] : kTexts) {
        if (!(recipe.*member).empty()) {
            json[name] = recipe.*member;
        }
    }
    if (recipe.step) {
        json["step"] = *recipe.step;
    }
    for (const auto& [name, member] : kSwitches) {
        if (recipe.*member) {
            json[name] = true;
        }
    }
    for (const auto& [name, member] : kLists) {
        if (!(recipe.*member).empty()) {
            json[name] = recipe.*member;
        }
    }
    for (const auto& [name, member] : kFiles) {
        if (const std::optional<EmbeddedFile>& file = recipe.*member) {
            json[name] = object_of(*file);
        }
    }
    // In JSON both can only stand inside a text, which may spell them so.
    std::string line;
    for (const char letter : json.dump(-1, ' ', true, Json::error_handler_t::replace)) {
        if (letter == '<' || letter == '>') {
            line += letter == '<' ? "\\u003c" : "\\u003e";
        } else {
            line += letter;
        }
    }
    return line;
}

Recipe parse_recipe(std::string_view json_text) {
    const Json json = Json::parse(json_text, nullptr, false);
    if (json.is_discarded()) {
        refuse_damaged("it is no JSON");
    }
    require_schema(json);
    Recipe recipe;
    for (const auto& [key, value] : json.items()) {
        if (key == "format") {
            recipe.format = choice_in<Format>(value, "format");
        } else if (key == "table") {
            recipe.table = choice_in<CsvTable>(value, "table");
        } else if (key == "sides") {
            recipe.sides = sides_in(value);
        } else if (key == "step") {
            recipe.step = count_in(value, key);
        } else if (key != "schema" && !read_listed(key, value, recipe)) {
            refuse_member(key);
        }
    }
    if (recipe.sides.empty() || !json.contains("format")) {
        refuse_damaged("it has no sides, or no format");
    }
    if (!recipe.on_inconclusive.empty()) {
        static_cast<void>(
            choice_in<analyzers::OnInconclusive>(json["on_inconclusive"], "on_inconclusive")
        );
    }
    return recipe;
}

std::string report_id(const Recipe& recipe) {
    // FNV-1a, 64 bits: the same on every machine.
    constexpr std::uint64_t kStart = 0xcbf2'9ce4'8422'2325U;
    constexpr std::uint64_t kPrime = 0x0000'0100'0000'01b3U;
    std::uint64_t hash = kStart;
    for (const char letter : recipe_json(recipe)) {
        hash = (hash ^ static_cast<unsigned char>(letter)) * kPrime;
    }
    return fmt::format("kvr_{:016x}", hash);
}

} // namespace kvprof::report
