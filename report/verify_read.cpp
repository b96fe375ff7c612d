#include "capture/model/error.h"
#include "report/verify.h"

#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include <algorithm>
#include <string>

namespace kvprof::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kBegin = "<!-- kvprof-begin -->";
constexpr std::string_view kRecipe = "<!-- kvprof-report ";
constexpr std::string_view kEnd = "-->";

[[noreturn]] void refuse(const std::string& cause, const std::string& hint) {
    throw UsageError("could not read the report: " + cause, hint);
}

std::string_view without_mark(std::string_view text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    text.remove_prefix(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
    return text;
}

std::string_view from_first_word(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

std::string_view first_line(std::string_view text) {
    return text.substr(0, text.find_first_of("\r\n"));
}

bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

ReportFile of_recipe(std::string_view recipe_text, std::string_view report) {
    ReportFile file;
    file.recipe = parse_recipe(recipe_text);
    file.format = file.recipe->format;
    file.text = report;
    return file;
}

ReportFile without_recipe(Format format, std::string_view report) {
    return {format, std::nullopt, report};
}

/// The recipe among the members of an object and of the objects in it: an object, or its text.
std::string recipe_in(const Json& json) {
    constexpr std::string_view kSchema = "kvprof.recipe/";
    if (json.is_string()) {
        const auto text = json.get<std::string>();
        return text.starts_with('{') && has(text, kSchema) ? text : std::string();
    }
    if (!json.is_object()) {
        return {};
    }
    const auto schema = json.find("schema");
    if (schema != json.end() && schema->is_string()
        && schema->get<std::string>().starts_with(kSchema)) {
        return json.dump(-1, ' ', true, Json::error_handler_t::replace);
    }
    for (const Json& member : json) {
        if (std::string recipe = recipe_in(member); !recipe.empty()) {
            return recipe;
        }
    }
    return {};
}

/// A JSON form that says nothing of its recipe, by its members.
std::optional<Format> json_form(const Json& json) {
    if (json.is_array()) {
        const bool is_list = !json.empty() && json[0].is_object() && json[0].contains("unit")
                             && json[0].contains("value");
        return is_list ? std::optional(Format::github_action_benchmark) : std::nullopt;
    }
    const auto schema = json.find("schema");
    if (schema != json.end() && schema->is_string()
        && schema->get<std::string>().starts_with("kvprof.")) {
        return Format::json;
    }
    if (json.contains("traceEvents")) {
        return Format::perfetto;
    }
    if (json.contains("benchmarks")) {
        return Format::gbench;
    }
    const bool is_bmf = !json.empty() && std::all_of(json.begin(), json.end(), [](const Json& one) {
        return one.is_object() && !one.empty() && one.front().is_object()
               && one.front().contains("value");
    });
    return is_bmf ? std::optional(Format::bmf) : std::nullopt;
}

[[noreturn]] void refuse_json() {
    refuse(
        "it is JSON, and not of kvprof",
        "a report has a member \"report\" with a recipe: kvprof report REF --format json"
    );
}

ReportFile read_json(std::string_view text) {
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_discarded()) {
        if (const std::string recipe = recipe_in(json); !recipe.empty()) {
            return of_recipe(recipe, text);
        }
        const std::optional<Format> form = json_form(json);
        if (!form) {
            refuse_json();
        }
        return without_recipe(*form, text);
    }
    const Json head = Json::parse(first_line(text), nullptr, false);
    if (head.is_discarded()) {
        refuse("it begins as JSON and is none", "copy the report again, whole");
    }
    const std::string recipe = recipe_in(head);
    return recipe.empty() ? without_recipe(Format::jsonl, text) : of_recipe(recipe, text);
}

ReportFile read_xml(std::string_view text) {
    pugi::xml_document document;
    if (!document.load_buffer(text.data(), text.size())) {
        refuse("it begins as XML and is none", "copy the report again, whole");
    }
    const pugi::xpath_node property = document.select_node("//property[@name='kvprof.recipe']");
    const pugi::xml_attribute value = property.node().attribute("value");
    const std::string recipe = value ? value.value() : property.node().text().get();
    if (!recipe.empty()) {
        return of_recipe(recipe, text);
    }
    if (!document.child("testsuites") && !document.child("testsuite")) {
        refuse("it is XML, and no JUnit report", "kvprof report REF --format junit writes one");
    }
    return without_recipe(Format::junit, text);
}

/// The recipe of a page stands in a script element of its own.
ReportFile read_html(std::string_view text) {
    std::string_view rest = text;
    for (std::size_t at = rest.find("<script"); at != std::string_view::npos;
         at = rest.find("<script")) {
        rest.remove_prefix(at);
        const std::size_t begin = std::min(rest.find('>'), rest.size() - 1) + 1;
        const std::size_t end = std::min(rest.find("</script", begin), rest.size());
        const std::string_view script = rest.substr(begin, end - begin);
        rest.remove_prefix(end);
        const Json json = from_first_word(script).starts_with('{')
                              ? Json::parse(script, nullptr, false)
                              : Json(nullptr);
        if (json.is_object()) {
            if (const std::string recipe = recipe_in(json); !recipe.empty()) {
                return of_recipe(recipe, text);
            }
        }
    }
    if (!has(text, "kvprof")) {
        refuse("it is HTML, and no page of kvprof", "kvprof report REF --format html writes one");
    }
    return without_recipe(Format::html, text);
}

/// Where the last line begins that starts with this; npos without one. A name may hold a marker,
/// but no line of its own.
std::size_t line_of(std::string_view text, std::string_view start) {
    const std::size_t found = text.rfind("\n" + std::string(start));
    if (found != std::string_view::npos) {
        return found + 1;
    }
    return text.starts_with(start) ? 0 : std::string_view::npos;
}

/// What kvprof wrote of a longer text: from its first comment to the one with the recipe.
ReportFile read_marked(std::string_view text) {
    const std::size_t mark = line_of(text, kRecipe);
    if (mark == std::string_view::npos) {
        const std::string_view part = text.substr(line_of(text, kBegin));
        return without_recipe(Format::markdown, part);
    }
    if (line_of(text.substr(0, mark), kRecipe) != std::string_view::npos) {
        refuse("there are several in the text", "put each into a file of its own");
    }
    const std::size_t json = mark + kRecipe.size();
    const std::size_t end = text.find(kEnd, json);
    if (end == std::string_view::npos) {
        refuse("its recipe was cut off", "copy the report again, down to the comment at its end");
    }
    const ReportFile whole = of_recipe(text.substr(json, end - json), text);
    if (whole.format != Format::markdown) {
        return whole;
    }
    const std::size_t begin = line_of(text.substr(0, mark), kBegin);
    const std::size_t first = begin == std::string_view::npos ? 0 : begin;
    return {whole.format, whole.recipe, text.substr(first, end + kEnd.size() - first)};
}

bool has_line_with(std::string_view text, std::string_view start) {
    return text.starts_with(start) || has(text, "\n" + std::string(start));
}

bool is_csv(std::string_view line) {
    constexpr std::ptrdiff_t kFewest = 5;
    return std::count(line.begin(), line.end(), ',') >= kFewest && !has(line, " ")
           && (has(line, ",metric,") || has(line, ",kernel,"));
}

/// A form without a recipe, by what only kvprof writes there.
std::optional<Format> plain_form(std::string_view text) {
    if (has_line_with(text, "kvprof-report: ")) {
        return Format::benchstat;
    }
    if (has_line_with(text, "# TYPE kvprof_")) {
        return Format::openmetrics;
    }
    if (is_csv(first_line(text))) {
        return Format::csv;
    }
    if (text.starts_with("::") && has(text, "title=kvprof")) {
        return Format::github;
    }
    const bool is_listing = text.starts_with("experiment ") || text.starts_with("run ")
                            || has_line_with(text, "this report was written by kvprof ");
    if (is_listing || has_line_with(text, "verdict: ") || has_line_with(text, "gate: ")) {
        return Format::text;
    }
    if (has_line_with(text, "| ") && has(text, "--")) {
        return Format::markdown_table;
    }
    return std::nullopt;
}

} // namespace

ReportFile read_report(std::string_view text) {
    const std::string_view content = without_mark(text);
    const std::string_view start = from_first_word(content);
    if (start.starts_with('{') || start.starts_with('[')) {
        return read_json(content);
    }
    if (start.starts_with("<?xml") || start.starts_with("<testsuite")) {
        return read_xml(content);
    }
    if (start.starts_with("<!doctype") || start.starts_with("<!DOCTYPE")
        || start.starts_with("<html")) {
        return read_html(content);
    }
    if (line_of(content, kRecipe) != std::string_view::npos
        || line_of(content, kBegin) != std::string_view::npos) {
        return read_marked(content);
    }
    if (const std::optional<Format> form = plain_form(start)) {
        return without_recipe(*form, content);
    }
    refuse(
        "there is none of kvprof in the text",
        "Markdown ends with the comment \"<!-- kvprof-report ... -->\", HTML and JSON hold a "
        "recipe, "
        "JUnit a property kvprof.recipe; copy the source of the text, not what a browser shows"
    );
}

} // namespace kvprof::report
