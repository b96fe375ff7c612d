#pragma once

#include "capture/experiment/design.h"
#include "cli/exit_code.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kvprof::cli {

enum class Format : std::uint8_t { text, markdown, json };
/// What `kvprof export` writes.
enum class ExportFormat : std::uint8_t { perfetto };
enum class ColorMode : std::uint8_t { automatic, always, never };

/// Flags that verbs share; what a verb does not offer stays at its default.
struct CommonOptions {
    std::optional<std::filesystem::path> db;
    Format format = Format::text;
    std::optional<std::filesystem::path> output;
    bool is_quiet = false;
    bool is_verbose = false;
    bool shows_progress = true;
    ColorMode color = ColorMode::automatic;

    friend bool operator==(const CommonOptions&, const CommonOptions&) = default;
};

/// `kvprof run`
struct RunOptions {
    CommonOptions common;
    StepSpec step;
    MeasureSpec measure;
    std::vector<experiment::Vary> varies;
    std::int64_t repeats = 1;
    std::string label;
    std::string command_line;
    double timeout_s = 0.0; ///< 0: none
    bool is_dry = false;
    bool is_single_process = false;
};

/// `kvprof _measure`: the child that measures one run.
struct MeasureOptions {
    std::filesystem::path spec;
    std::filesystem::path out;
};

/// `kvprof ls`
struct ListOptions {
    CommonOptions common;
    std::int64_t limit = 0; ///< 0: all
};

/// `kvprof show`
struct ShowOptions {
    CommonOptions common;
    std::string reference;
};

/// `kvprof rm`
struct RemoveOptions {
    CommonOptions common;
    std::vector<std::string> references;
};

/// `kvprof tag`: without a name and a reference, lists the tags.
struct TagOptions {
    CommonOptions common;
    std::string name;
    std::string reference;
    bool deletes = false;
};

/// `kvprof diff A B`, or `kvprof diff --by FIELD A`
struct DiffOptions {
    CommonOptions common;
    std::string base;
    std::string candidate;
    std::string by;
    bool sets_exit_code = false;
};

/// `kvprof export`
struct ExportOptions {
    CommonOptions common;
    ExportFormat format = ExportFormat::perfetto;
    std::string reference;
};

/// `kvprof doctor`
struct DoctorOptions {
    CommonOptions common;
    bool requires_gpu = false;
};

/// `kvprof --version`
struct VersionOptions {
    bool is_json = false;
};

/// `kvprof run --help-presets`
struct PresetOptions {};

/// `--help` and `kvprof help TOPIC`
struct HelpOptions {
    std::string text;
};

using Command = std::variant<
    HelpOptions,
    VersionOptions,
    PresetOptions,
    RunOptions,
    MeasureOptions,
    ListOptions,
    ShowOptions,
    RemoveOptions,
    TagOptions,
    DiffOptions,
    ExportOptions,
    DoctorOptions>;

[[nodiscard]] ExitCode run(const HelpOptions& options);
[[nodiscard]] ExitCode run(const VersionOptions& options);
[[nodiscard]] ExitCode run(const PresetOptions& options);
[[nodiscard]] ExitCode run(const RunOptions& options);
[[nodiscard]] ExitCode run(const MeasureOptions& options);
[[nodiscard]] ExitCode run(const ListOptions& options);
[[nodiscard]] ExitCode run(const ShowOptions& options);
[[nodiscard]] ExitCode run(const RemoveOptions& options);
[[nodiscard]] ExitCode run(const TagOptions& options);
[[nodiscard]] ExitCode run(const DiffOptions& options);
[[nodiscard]] ExitCode run(const ExportOptions& options);
[[nodiscard]] ExitCode run(const DoctorOptions& options);

} // namespace kvprof::cli
