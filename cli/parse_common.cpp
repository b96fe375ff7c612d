#include "cli/parse_common.h"

#include "capture/model/params.h"
#include "cli/format_names.h"
#include "cli/verbs.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace kvprof::cli {

namespace {

constexpr const char* kGroup = "Common";

/// -o FILE means the format of its extension, unless one was named.
constexpr std::array kExtensions{
    std::pair{".txt", Format::text},
    std::pair{".md", Format::markdown},
    std::pair{".html", Format::html},
    std::pair{".htm", Format::html},
    std::pair{".json", Format::json},
    std::pair{".jsonl", Format::jsonl},
    std::pair{".ndjson", Format::jsonl},
    std::pair{".csv", Format::csv},
    std::pair{".xml", Format::junit},
    std::pair{".prom", Format::openmetrics}};

std::optional<Format> format_of_file(const std::filesystem::path& file) {
    for (const auto& [extension, format] : kExtensions) {
        if (file.extension() == extension) {
            return format;
        }
    }
    return std::nullopt;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& words) {
    const std::string_view close = nearest(word, words);
    return close.empty() ? std::string() : fmt::format("did you mean \"{}\"?", close);
}

bool is_control(unsigned char letter) {
    constexpr unsigned char kFirstPrintable = 0x20;
    constexpr unsigned char kDelete = 0x7f;
    return letter < kFirstPrintable || letter == kDelete;
}

/// The word in quotes; one with control characters in those of bash and zsh that spell them.
std::string shell_word(const std::string& word) {
    const bool spells = std::any_of(word.begin(), word.end(), is_control);
    std::string text;
    for (const char c : word) {
        if (spells && (c == '\'' || c == '\\')) {
            text += {'\\', c};
        } else if (is_control(static_cast<unsigned char>(c))) {
            text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        } else {
            text += c == '\'' ? std::string("'\\''") : std::string(1, c);
        }
    }
    return fmt::format("{}'{}'", spells ? "$" : "", text);
}

void refuse_option(const CLI::App& app, std::string_view word) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            names.push_back("--" + name);
        }
    }
    std::string_view bare = word.substr(0, word.find('='));
    const std::string spelled =
        bare.starts_with("--") ? std::string(bare) : fmt::format("-{}", bare);
    std::string hint = did_you_mean(spelled, {names.begin(), names.end()});
    if (hint.empty() && app.get_parent() == nullptr) {
        hint = "options of a verb come after it: kvprof run --db FILE";
    } else if (hint.empty()) {
        hint = fmt::format("kvprof {} --help lists the options", app.get_name());
    }
    throw UsageError(fmt::format("could not read the command line: unknown option {}", bare), hint);
}

} // namespace

void CommonTexts::add_quiet_to(CLI::App& verb) {
    verb.add_flag("-q,--quiet", is_quiet, "print the result and errors only")->group(kGroup);
}

void CommonTexts::add_progress_to(CLI::App& verb) {
    add_quiet_to(verb);
    verb.add_flag("-v,--verbose", is_verbose, "print what each run noted")->group(kGroup);
    verb.add_flag("--no-progress", hides_progress, "no progress line")->group(kGroup);
}

void CommonTexts::add_db_to(CLI::App& verb) {
    verb.add_option("--db", db, "store of the runs (default: KVPROF_DB, .kvprof, user data folder)")
        ->type_name("FILE")
        ->group(kGroup);
}

void CommonTexts::add_place_to(CLI::App& verb) {
    add_db_to(verb);
    verb.set_help_flag("-h,--help", "show this help")->group(kGroup);
}

void CommonTexts::add_output_to(CLI::App& verb) {
    verb.add_option("-o,--output", output, "write the result to a file")
        ->type_name("FILE")
        ->group(kGroup);
    verb.set_help_flag("-h,--help", "show this help")->group(kGroup);
}

void CommonTexts::add_table_to(CLI::App& verb) {
    verb.add_option("--table", table, "the table of --format csv")
        ->type_name("metrics|samples|kernels")
        ->default_str("metrics")
        ->group(kGroup);
}

void CommonTexts::add_to(CLI::App& verb) {
    add_db_to(verb);
    const std::vector<Format> forms = forms_of(verb.get_name());
    const bool is_export = verb.get_name() == "export";
    verb.add_option("--format", format, "form of the result")
        ->type_name(joined(forms, "|") + (is_export ? "|bundle" : ""))
        ->default_str(std::string(to_string(forms.front())))
        ->group(kGroup);
    if (std::find(forms.begin(), forms.end(), Format::json) != forms.end()) {
        verb.add_flag("--json", is_json, "the same as --format json")->group(kGroup);
    }
    verb.add_option(
            "-o,--output", output, "write the result to a file; .md, .json, ... set the format"
    )
        ->type_name("FILE")
        ->group(kGroup);
    verb.add_option("--color", color, "colour of verdicts on a terminal")
        ->type_name("auto|always|never")
        ->default_str("auto")
        ->group(kGroup);
    verb.set_help_flag("-h,--help", "show this help")->group(kGroup);
}

std::vector<Format> forms_of(std::string_view verb) {
    using enum Format;
    std::vector<Format> all;
    for (const auto& [form, name] : EnumNames<Format>::values) {
        all.push_back(form);
    }
    if (verb == "run" || verb == "gate" || verb == "diff" || verb == "show") {
        return all;
    }
    if (verb == "report") {
        std::vector<Format> forms = all;
        std::swap(forms[0], forms[1]); // what is pasted comes first
        return forms;
    }
    if (verb == "schema") {
        return {text, json}; // what it prints has a form of its own, whatever the file is called
    }
    if (verb == "calibrate" || verb == "selftest" || verb == "claims") {
        return {text, markdown, json};
    }
    if (verb == "sweep" || verb == "tune") {
        return {text, markdown, html, json};
    }
    if (verb == "sql") {
        return {text, markdown, json, jsonl, csv};
    }
    if (verb == "export") {
        std::vector<Format> forms{perfetto};
        std::copy_if(all.begin(), all.end(), std::back_inserter(forms), [](Format form) {
            return form >= json && form != github && form != perfetto;
        });
        return forms;
    }
    return {text, json};
}

std::vector<std::string> words_of(const char* option, std::string_view text) {
    std::vector<std::string> words;
    for (bool more = !text.empty(); more;) {
        const std::size_t comma = text.find(',');
        more = comma != std::string_view::npos;
        std::string word(text.substr(0, comma));
        text.remove_prefix(more ? comma + 1 : text.size());
        if (word.empty()) {
            throw UsageError(
                fmt::format("could not read {}: a value is empty", option),
                fmt::format("write it like {} A,B, without blanks", option)
            );
        }
        if (std::find(words.begin(), words.end(), word) != words.end()) {
            throw UsageError(fmt::format("could not read {}: {} is there twice", option, word));
        }
        words.push_back(std::move(word));
    }
    return words;
}

namespace {

/// To open it by its name would begin at the start of what stdout is.
bool is_stdout(std::string_view file) {
    return file == "-" || file == "/dev/stdout" || file == "/dev/fd/1" || file == "/proc/self/fd/1";
}

} // namespace

std::string joined(const std::vector<Format>& forms, std::string_view separator) {
    std::string text;
    for (const Format form : forms) {
        text += fmt::format("{}{}", text.empty() ? "" : separator, to_string(form));
    }
    return text;
}

CommonOptions CommonTexts::read(const CLI::App& verb) const {
    const std::vector<Format> forms = forms_of(verb.get_name());
    CommonOptions options;
    options.format = forms.front();
    options.is_quiet = is_quiet;
    options.is_verbose = is_verbose;
    options.shows_progress = !hides_progress && !is_quiet;
    parse_field("color", color, options.color);
    if (!db.empty()) {
        options.db = db;
    }
    if (!output.empty() && !is_stdout(output)) {
        options.output = output;
        std::filesystem::path name = output;
        options.is_gzip = name.extension() == ".gz";
        name = options.is_gzip ? name.stem() : name;
        const Format named = format_of_file(name).value_or(options.format);
        // A timeline is JSON as well, whatever its file is called.
        const bool is_taken = verb.get_name() != "export"
                              || (named != Format::json
                                  && std::find(forms.begin(), forms.end(), named) != forms.end());
        options.format = is_taken ? named : options.format;
    }
    if (!format.empty()) {
        parse_field("format", format, options.format);
    }
    if (is_json) {
        options.format = Format::json;
    }
    if (!table.empty()) {
        parse_field("table", table, options.table);
    }
    if (std::find(forms.begin(), forms.end(), options.format) == forms.end()) {
        throw UsageError(fmt::format(
            "could not choose the format {}: {} has {}",
            to_string(options.format),
            verb.get_name(),
            joined(forms, ", ")
        ));
    }
    return options;
}

void refuse_extras(const CLI::App& verb, const std::vector<std::string>& extras) {
    const auto is_option = [](const std::string& word) {
        return word.size() > 1 && word.starts_with('-') && word != "--";
    };
    const auto option = std::find_if(extras.begin(), extras.end(), is_option);
    const bool is_program = verb.get_parent() == nullptr && verb.get_subcommands().empty();
    if (is_program && !extras.empty() && option != extras.begin()) {
        std::vector<std::string_view> names;
        std::transform(kVerbs.begin(), kVerbs.end(), std::back_inserter(names), [](const Verb& v) {
            return v.name;
        });
        std::string hint = did_you_mean(extras.front(), names);
        throw UsageError(
            fmt::format("could not read the command line: unknown verb \"{}\"", extras.front()),
            hint.empty() ? "kvprof --help lists the verbs" : hint
        );
    }
    if (option != extras.end()) {
        refuse_option(verb, *option);
    }
    const auto word = std::find_if(extras.begin(), extras.end(), [](const std::string& extra) {
        return extra != "--";
    });
    if (word != extras.end()) {
        throw UsageError(
            fmt::format("could not read the command line: unexpected argument \"{}\"", *word),
            verb.get_name().empty()
                ? "kvprof --help shows the usage"
                : fmt::format("kvprof {} --help shows the usage", verb.get_name())
        );
    }
}

void refuse_empty(const CLI::App& verb, const std::vector<std::string>& may_be_empty) {
    for (const CLI::Option* option : verb.get_options()) {
        const std::string& name = option->get_name();
        const auto& results = option->results();
        const bool is_empty = std::find(results.begin(), results.end(), "") != results.end();
        const bool may_be =
            std::find(may_be_empty.begin(), may_be_empty.end(), name) != may_be_empty.end();
        if (is_empty && !may_be && name.starts_with("--")) {
            throw UsageError(
                fmt::format("could not read {}: its value is empty", name),
                "leave the option out, or give it a value"
            );
        }
    }
}

void refuse_groups(
    const CLI::App& verb, const std::vector<std::string>& groups, const std::string& why
) {
    for (const CLI::Option* option : verb.get_options()) {
        const bool is_listed =
            std::find(groups.begin(), groups.end(), option->get_group()) != groups.end();
        if (is_listed && option->count() > 0) {
            throw UsageError(
                fmt::format("could not read {}: {}", option->get_name(), why), "leave it out"
            );
        }
    }
}

std::size_t checked_count(const std::vector<std::string>& words, std::size_t min, std::size_t max) {
    if (words.size() < min) {
        throw UsageError(
            fmt::format("could not read the command line: {} REF missing", min - words.size()),
            "name runs by @latest, @latest~1, an id, a label or a file; kvprof ls lists them"
        );
    }
    if (words.size() > max) {
        throw UsageError(
            fmt::format("could not read the command line: unexpected argument \"{}\"", words[max])
        );
    }
    return words.size();
}

double parse_percent(const std::string& text, std::string_view option) {
    std::string number = text;
    if (number.ends_with('%')) {
        number.pop_back();
        while (number.ends_with(' ')) {
            number.pop_back();
        }
    } else {
        number.clear(); // a bare number could be meant as a share
    }
    if (number.empty()) {
        throw UsageError(
            fmt::format("could not read {}: \"{}\" is no percentage", option, text),
            fmt::format("write it as {} 2%", option)
        );
    }
    const double percent = parse_real(number, option);
    if (percent < 0.0 || percent > 100.0) {
        throw UsageError(fmt::format("could not read {}: {} is outside 0 to 100 %", option, text));
    }
    return percent / 100.0;
}

std::string user_name() {
    const char* const name = std::getenv("USER"); // NOLINT(concurrency-mt-unsafe): no thread yet
    return name == nullptr || *name == '\0' ? "unknown" : name;
}

std::string quoted(const std::vector<std::string>& arguments) {
    std::string line = "kvprof";
    for (const std::string& argument : arguments) {
        const bool is_plain =
            !argument.empty()
            && argument.find_first_of(" '\"\\$`*?[]{}()<>|&;#~!") == std::string::npos
            && std::none_of(argument.begin(), argument.end(), is_control);
        line += " " + (is_plain ? argument : shell_word(argument));
    }
    return line;
}

} // namespace kvprof::cli
