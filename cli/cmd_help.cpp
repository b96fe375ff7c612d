#include "capture/model/units.h"
#include "capture/workload/preset.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/stores.h"
#include "cli/version.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kvprof::cli {

ExitCode run(const HelpOptions& options) {
    Output(CommonOptions{}).write(options.text);
    return ExitCode::done;
}

ExitCode run(const VersionOptions& options) {
    if (!options.is_json) {
        Output(CommonOptions{}).write(fmt::format("kvprof {}\n", build_text()));
        return ExitCode::done;
    }
    const std::string_view architectures = cuda_architectures();
    nlohmann::json json{
        {"schema", "kvprof.version/1"},
        {"version", version()},
        {"build", build_id()},
        {"cuda_architectures", nlohmann::json()},
        {"sqlite", sqlite_version()}};
    if (!architectures.empty()) {
        json["cuda_architectures"] = architectures;
    }
    Output(CommonOptions{}).write(json.dump(2) + "\n");
    return ExitCode::done;
}

ExitCode run(const PresetOptions& /*options*/) {
    std::string text;
    for (const workload::ModelSpec& preset : workload::built_in_presets()) {
        text += fmt::format(
            "{:<20}{} layers, {} query heads, context {}\n{:<20}{}\n",
            preset.name,
            preset.layers,
            preset.query_heads,
            format_count(preset.max_context),
            "",
            preset.provenance
        );
    }
    Output(CommonOptions{}).write(text);
    return ExitCode::done;
}

} // namespace kvprof::cli
