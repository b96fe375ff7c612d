#include "capture/executor_factory.h"
#include "capture/model/units.h"
#include "cli/parse_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <string_view>

namespace kvprof::cli {

namespace {

constexpr const char* kSystems = "Systems";

/// "A,B" in order. @throws UsageError for an empty value, and for one that is there twice.
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

template<NamedEnum E>
void read_choices(const char* option, const std::string& text, std::vector<E>& values) {
    if (text.empty()) {
        return;
    }
    values.clear();
    for (const std::string& word : words_of(option, text)) {
        parse_field(option + 2, word, values.emplace_back());
    }
}

void read_names(const char* option, const std::string& text, std::vector<std::string>& names) {
    if (!text.empty()) {
        names = words_of(option, text);
    }
}

bool is_given(const std::deque<FieldText>& fields, std::string_view name) {
    return std::any_of(fields.begin(), fields.end(), [&](const FieldText& field) {
        return field.name == name && field.option->count() > 0;
    });
}

/// A system's own option would be taken by every row, or by none.
void refuse_one_system(const std::deque<FieldText>& fields) {
    constexpr std::array<std::pair<const char*, const char*>, 4> kOwn{{
        {"preset", "--presets"},
        {"attention-backend", "--backends"},
        {"pool", "--pools"},
        {"stage", "--stages"},
    }};
    for (const auto& [name, list] : kOwn) {
        if (is_given(fields, name)) {
            throw UsageError(
                fmt::format("could not lay out the matrix: --{} names one system", name),
                fmt::format("name several, or one, with {}", list)
            );
        }
    }
}

Bytes read_memory(const std::string& text) {
    constexpr double kMost = 1 << 20;
    const double gibibytes = parse_real(text, "--memory");
    if (!(gibibytes > 0.0 && gibibytes <= kMost)) {
        throw UsageError(
            fmt::format("could not read --memory: {} GiB is not above 0 and up to 1,048,576", text),
            "write it like 64 or 0.5; without it 85 % of the memory that there is counts"
        );
    }
    return Bytes{static_cast<std::int64_t>(gibibytes * double{1 << 30})};
}

} // namespace

void RunTexts::add_systems_to(CLI::App& verb) {
    verb.add_option("--presets", presets_, "built-in names or TOML files (default: every model)")
        ->type_name("A,B")
        ->group(kSystems);
    verb.add_option("--backends", backends_, "built-in names or TOML files (default: all)")
        ->type_name("A,B")
        ->group(kSystems);
    verb.add_option("--pools", pools_, "static, unified (default: both)")
        ->type_name("A,B")
        ->group(kSystems);
    verb.add_option("--stages", stages_, "of the unified pool (default: all)")
        ->type_name("A,B")
        ->group(kSystems);
    verb.add_option(
            "--memory", memory_, "GiB that a step's buffers may take (default: 85 % of the device)"
    )
        ->type_name("X")
        ->group(kSystems);
    resume_ = verb.add_option("--resume", resumed_, "go on with a matrix (default: the newest)")
                  ->expected(0, 1)
                  ->type_name("REF")
                  ->group(kSystems);
}

MatrixOptions RunTexts::read_matrix() const {
    MatrixOptions options{.run = read(), .resumes = resume_->count() > 0, .unfinished = resumed_};
    refuse_one_system(step_);
    if (!is_given(measure_, "passes")) { // what a row of the table shows, where it can be had
        const bool has_device = resolve(options.run.measure.executor) == ExecutorKind::cuda;
        options.run.measure.passes = has_device ? "timing+counts+memory" : "timing";
    }
    DesignOptions& design = options.run.design;
    design.kind = ExperimentKind::systems;
    design.systems = experiment::all_systems();
    read_names("--presets", presets_, design.systems.presets);
    read_names("--backends", backends_, design.systems.backends);
    read_choices("--pools", pools_, design.systems.pools);
    read_choices("--stages", stages_, design.systems.stages);
    if (!memory_.empty()) {
        design.memory = read_memory(memory_);
    }
    return options;
}

} // namespace kvprof::cli
