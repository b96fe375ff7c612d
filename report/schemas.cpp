#include "report/schemas.h"

#include "analyzers/json_values.h"
#include "capture/model/params.h"
#include "report/schema_definitions.h"
#include "report/schema_files.h"

#include <algorithm>

namespace kvprof::report {

namespace {

using analyzers::Json;

/// Not a document: what several refer to.
constexpr std::string_view kDefinitions = "definitions";
constexpr std::string_view kReference = "#/$defs/";

/// The file's text; null when there is none.
const std::string_view* file_named(std::string_view name) {
    const auto* file =
        std::find_if(kSchemaFiles.begin(), kSchemaFiles.end(), [&](const auto& each) {
            return each.first == name;
        });
    return file == kSchemaFiles.end() ? nullptr : &file->second;
}

/// "gate" of "kvprof.gate/1".
std::string_view short_name(std::string_view name) {
    constexpr std::string_view kStart = "kvprof.";
    constexpr std::string_view kEnd = "/1";
    if (name.starts_with(kStart) && name.ends_with(kEnd)) {
        name.remove_prefix(kStart.size());
        name.remove_suffix(kEnd.size());
    }
    return name;
}

/// Adds to `used` all definitions that the schema leads to, each once.
void collect(const Json& schema, const Json& all, Json& used) {
    for (const auto& [key, value] : schema.items()) {
        if (key == "$ref") {
            const std::string name = value.get<std::string>().substr(kReference.size());
            if (!used.contains(name)) {
                used[name] = all.at(name);
                collect(all.at(name), all, used);
            }
        } else if (value.is_structured()) {
            collect(value, all, used);
        }
    }
}

} // namespace

std::vector<std::string> schema_names() {
    std::vector<std::string> names;
    for (const auto& [name, text] : kSchemaFiles) {
        if (name != kDefinitions) {
            names.emplace_back(name);
        }
    }
    return names;
}

std::string schema_text(std::string_view name) {
    const std::string_view wanted = short_name(name);
    const std::string_view* text = file_named(wanted);
    if (text == nullptr || wanted == kDefinitions) {
        const std::vector<std::string> names = schema_names();
        refuse_choice("schema", name, {names.begin(), names.end()});
    }
    Json all = Json::parse(*file_named(kDefinitions))["$defs"];
    all.update(generated_definitions());
    Json schema = Json::parse(*text);
    Json used = Json::object();
    collect(schema, all, used);
    if (!used.empty()) {
        schema["$defs"] = used;
    }
    return analyzers::document(schema);
}

} // namespace kvprof::report
