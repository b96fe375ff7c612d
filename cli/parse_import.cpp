#include "cli/parse_import.h"

#include "capture/model/error.h"
#include "capture/model/units.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <string_view>

namespace kvprof::cli {

namespace {

constexpr const char* kProfiles = "Profiles";
constexpr std::string_view kAnnotation = "annotation:";

void read_steps(const std::string& word, import::ReadOptions& options) {
    using import::StepRule;
    if (word == "auto") {
        options.steps = StepRule::automatic;
    } else if (word == "graph") {
        options.steps = StepRule::graph;
    } else if (word == "none") {
        options.steps = StepRule::none;
    } else if (word.starts_with(kAnnotation) && word.size() > kAnnotation.size()) {
        options.steps = StepRule::annotation;
        options.step_pattern = word.substr(kAnnotation.size());
    } else {
        throw UsageError(
            fmt::format("could not read --steps {}: it is no way to find steps", word),
            "auto, graph, none, or annotation:PATTERN, where a step's name begins with PATTERN"
        );
    }
}

std::int64_t steps_of(const std::string& text, std::string_view option) {
    const std::int64_t count = parse_count(text, option);
    if (count < 0) {
        throw UsageError(
            fmt::format("could not read {}: {} steps are fewer than none", option, text),
            "give a number of steps from 0"
        );
    }
    return count;
}

} // namespace

void ImportTexts::add_to(CLI::App& verb) {
    verb.add_option(
            "--side", side, "name of the side that all files belong to (default: by their names)"
    )
        ->type_name("NAME")
        ->group(kProfiles);
    verb.add_option(
            "--steps",
            steps,
            "where steps are: by annotation, by the period of graph launches or kernels"
    )
        ->type_name("auto|annotation:PATTERN|graph|none")
        ->capture_default_str()
        ->group(kProfiles);
    verb.add_option("--skip-first", skip_first, "steps to leave out at the beginning")
        ->type_name("N")
        ->capture_default_str()
        ->group(kProfiles);
    verb.add_option("--skip-last", skip_last, "steps to leave out at the end")
        ->type_name("N")
        ->capture_default_str()
        ->group(kProfiles);
    verb.add_option("--keep-events", keep_events, "steps whose records are kept for a timeline")
        ->type_name("N")
        ->capture_default_str()
        ->group(kProfiles);
    verb.add_flag(
            "--allow-partial", allows_partial, "read what can be read of a broken file, and say so"
    )
        ->group(kProfiles);
}

ImportOptions ImportTexts::read() const {
    ImportOptions options;
    options.side = side;
    read_steps(steps, options.read);
    options.read.skip_first = steps_of(skip_first, "--skip-first");
    options.read.skip_last = steps_of(skip_last, "--skip-last");
    options.read.keep_events = steps_of(keep_events, "--keep-events");
    options.read.allow_partial = allows_partial;
    return options;
}

} // namespace kvprof::cli
