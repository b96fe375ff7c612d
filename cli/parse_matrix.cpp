#include "capture/executor_factory.h"
#include "capture/model/units.h"
#include "cli/parse_common.h"
#include "cli/parse_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace kvprof::cli {

namespace {

constexpr const char* kSystems = "Systems";

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

/// A system's own option would be taken by every row, or by none.
void refuse_one_system(const RunTexts& texts) {
    constexpr std::array<std::pair<const char*, const char*>, 4> kOwn{{
        {"preset", "--presets"},
        {"attention-backend", "--backends"},
        {"pool", "--pools"},
        {"stage", "--stages"},
    }};
    for (const auto& [name, list] : kOwn) {
        if (texts.gives(name)) {
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
    add_memory_to(verb, kSystems);
    add_resume_to(verb, kSystems);
}

void RunTexts::add_memory_to(CLI::App& verb, const char* group) {
    verb.add_option(
            "--memory", memory_, "GiB that a step's buffers may take (default: 85 % of the device)"
    )
        ->type_name("X")
        ->group(group);
}

void RunTexts::add_resume_to(CLI::App& verb, const char* group) {
    resume_.push_back(
        verb.add_option(
                "--resume", resumed_, "go on with one that was stopped (default: the newest)"
        )
            ->expected(0, 1)
            ->type_name("REF")
            ->group(group)
    );
}

bool RunTexts::resumes() const {
    return std::any_of(resume_.begin(), resume_.end(), [](const CLI::Option* option) {
        return option->count() > 0;
    });
}

std::optional<Bytes> RunTexts::memory() const {
    return memory_.empty() ? std::nullopt : std::optional(read_memory(memory_));
}

RowsOptions RunTexts::read_matrix() const {
    RowsOptions options{.run = read(), .resumes = resumes(), .unfinished = resumed_};
    refuse_one_system(*this);
    if (!gives("passes")) { // what a row of the table shows, where it can be had
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
    design.memory = memory();
    return options;
}

} // namespace kvprof::cli
