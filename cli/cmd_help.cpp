#include "capture/model/units.h"
#include "capture/workload/backend.h"
#include "capture/workload/preset.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/stores.h"
#include "cli/version.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
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

namespace {

template<NamedEnum E>
std::string names_of(const std::vector<E>& values) {
    std::vector<std::string_view> names;
    for (const E value : values) {
        names.push_back(to_string(value));
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

/// "16, 32, 64", "a power of two" or "any".
std::string page_sizes_of(const workload::Backend& backend) {
    if (!backend.page_sizes.empty()) {
        return fmt::format("{}", fmt::join(backend.page_sizes, ", "));
    }
    return backend.needs_power_of_two ? "a power of two" : "any";
}

/// What it reads, and what it does not take.
std::string form_of(const workload::Backend& backend) {
    std::string text = fmt::format(
        "reads a {} of {}, {} rows, pages of {}",
        to_string(backend.reads),
        backend.index == kernels::IndexType::i32 ? "int32" : "int64",
        to_string(backend.rows),
        page_sizes_of(backend)
    );
    if (backend.max_head_dim > 0) {
        text += fmt::format(", heads up to {}", backend.max_head_dim);
    }
    return text + (backend.translates ? "" : ", static pool only");
}

std::string buffers_of(const workload::Backend& backend, std::string_view indent) {
    std::string text;
    for (const workload::CaptureBuffer& buffer : backend.buffers) {
        const std::string when = names_of(buffer.when);
        text += fmt::format(
            "{}{:<22}{}{}\n",
            indent,
            buffer.name,
            buffer.bytes.text,
            when.empty() ? "" : fmt::format("  ({})", when)
        );
    }
    return text;
}

} // namespace

ExitCode run(const BackendOptions& /*options*/) {
    const std::string indent(16, ' ');
    std::string text;
    for (const workload::Backend& backend : workload::built_in_backends()) {
        text += fmt::format(
            "{:<16}{}\n{}launches {}; metadata {}\n{}{}\n{}",
            backend.name,
            form_of(backend),
            indent,
            names_of(backend.ops),
            names_of(backend.forms),
            indent,
            backend.provenance,
            buffers_of(backend, indent)
        );
    }
    text += "\nBytes of capture buffers: B largest batch, N most tokens of a step, C context, P "
            "pages of a row\n"
            "of its own table, R a rectangle, W window, Hq query heads, S splits, dv elements of "
            "a V head,\n"
            "elt bytes of a KV element, T and U ids that a stream holds (B*C, N*C, or what the "
            "pool bounds).\n";
    Output(CommonOptions{}).write(text);
    return ExitCode::done;
}

} // namespace kvprof::cli
