#pragma once

#include "analyzers/policy.h"
#include "analyzers/run_lists.h"
#include "capture/experiment/design.h"
#include "capture/experiment/option_set.h"
#include "capture/experiment/sweep.h"
#include "capture/experiment/systems.h"
#include "capture/experiment/tune_axes.h"
#include "capture/import/options.h"
#include "capture/model/run.h"
#include "cli/exit_code.h"
#include "report/format.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kvprof::cli {

using report::Format;
enum class ColorMode : std::uint8_t { automatic, always, never };

/// Flags that verbs share; what a verb does not offer stays at its default.
struct CommonOptions {
    std::optional<std::filesystem::path> db;
    Format format = Format::text;
    report::CsvTable table = report::CsvTable::metrics; ///< of Format::csv
    std::optional<std::filesystem::path> output;
    bool is_gzip = false; ///< `output` ends in .gz
    bool is_quiet = false;
    bool is_verbose = false;
    bool shows_progress = true;
    ColorMode color = ColorMode::automatic;

    friend bool operator==(const CommonOptions&, const CommonOptions&) = default;
};

/// How an A/B experiment or a calibration is laid out; of a matrix all of it is at its default.
struct DesignOptions {
    ExperimentKind kind = ExperimentKind::matrix;
    /// What A and B change; empty with --ab alone, where the first --vary names both.
    std::vector<experiment::OptionSet> sides;
    std::int64_t runs = 0;                  ///< a side; 0: the verb's own number
    bool has_looks = false;                 ///< --runs auto: ends as soon as the runs decide
    std::optional<std::int64_t> order_seed; ///< drawn when absent
    std::int64_t attempt = 1;
    experiment::SystemAxes systems; ///< of ExperimentKind::systems
    experiment::TuneAxes tuning;    ///< of ExperimentKind::tune
    /// Of ExperimentKind::sweep; empty: the usual ones.
    std::vector<experiment::SweptAxis> axes;
    std::optional<Bytes> memory; ///< that a step's buffers may take; absent: the device's
};

/// How two sides are judged: flags that `diff`, `gate`, `run --ab` and `selftest` share.
struct JudgeOptions {
    std::optional<std::filesystem::path> policy; ///< --policy; else the nearest kvprof.toml
    std::vector<std::string> treatment;
    std::vector<std::string> allowed_mismatch;
    bool is_strict_env = false;
    bool is_unpaired = false;
};

/// What `run`, `gate`, `calibrate` and `selftest` measure.
struct RunOptions {
    CommonOptions common;
    StepSpec step;
    MeasureSpec measure;
    std::vector<experiment::Vary> varies;
    std::int64_t repeats = 1;
    DesignOptions design;
    JudgeOptions judge; ///< of an A/B experiment
    std::string label;
    std::string command_line;
    double timeout_s = 0.0; ///< 0: none
    bool is_dry = false;
    bool is_single_process = false;
};

/// `kvprof matrix` and `kvprof tune OP`: experiments of `run.design.kind` whose runs are rows on
/// their own.
struct RowsOptions {
    RunOptions run;
    bool resumes = false;
    std::string unfinished; ///< reference of the experiment to go on with; empty: the newest
};

/// `kvprof gate`
struct GateOptions {
    RunOptions run;        ///< with design.kind ab: measure; else judge what is stored
    std::string reference; ///< a stored A/B experiment, or the candidate of a baseline
    std::string baseline;  ///< --baseline NAME
    std::optional<analyzers::OnInconclusive> on_inconclusive; ///< else the policy's
    bool confirms = false;
    bool allows_single_layout = false;
};

enum class BaselineAction : std::uint8_t { set, list, remove };

/// `kvprof baseline set|ls|rm`
struct BaselineOptions {
    CommonOptions common;
    BaselineAction action = BaselineAction::list;
    std::string name;
    std::vector<std::string> references;
    std::string author;
    std::string reason;
    bool adds = false; ///< to the runs that it has
};

/// `kvprof calibrate`
struct CalibrateOptions {
    RunOptions run;
};

/// `kvprof selftest`
struct SelftestOptions {
    RunOptions run;
    std::vector<double> injected; ///< 0.02 is 2 %; 0: both sides alike
    std::int64_t gates = 1;       ///< for each injection
};

/// `kvprof ceilings`
struct CeilingsOptions {
    CommonOptions common;
    bool remeasures = false;
    std::int64_t device = 0;
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
    std::optional<analyzers::RunList> list; ///< that alone, whole; absent: everything
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

/// What `kvprof report`, `claims` and `verify` are about: one reference, or base and candidate.
struct SubjectOptions {
    std::vector<std::string> references;
    std::string by;
    JudgeOptions judge;
    std::optional<std::filesystem::path> claims;
};

/// `kvprof diff A B`, `kvprof diff --by FIELD REF`, or `kvprof diff REF` of an A/B experiment
struct DiffOptions {
    CommonOptions common;
    SubjectOptions subject;
    bool sets_exit_code = false;
};

/// `kvprof report`
struct ReportOptions {
    CommonOptions common;
    SubjectOptions subject;
    std::optional<std::int64_t> step; ///< that the timeline shows, of those that were kept
    bool is_listing = false;          ///< the runs as they are, also of an A/B experiment
    bool attaches = false;            ///< a bundle of its runs beside -o FILE
};

/// `kvprof claims check FILE REF [REF]`
struct ClaimsOptions {
    CommonOptions common;
    SubjectOptions subject;
};

/// `kvprof verify FILE [REF [REF]]`
struct VerifyOptions {
    CommonOptions common;
    std::filesystem::path file;
    /// Of a report that does not carry its recipe; without references the report has to.
    SubjectOptions subject;
    std::optional<Format> format; ///< that the report is in; else what it looks like
    bool is_listing = false;
};

/// `kvprof export`: a timeline, another form of a report, or a bundle of runs.
struct ExportOptions {
    CommonOptions common;
    std::vector<std::string> references;
    bool is_bundle = false;
    bool has_events = true;       ///< of a bundle: timelines go with their runs
    bool has_calibrations = true; ///< of a bundle
};

/// `kvprof import FILE...`: bundles of this program, and profiles of others.
struct ImportOptions {
    CommonOptions common;
    std::vector<std::filesystem::path> sources;
    std::string side; ///< that all profiles belong to; empty: by their names
    import::ReadOptions read;
    std::string command_line; ///< with names of files, and no folder
};

/// `kvprof merge STORE...`
struct MergeOptions {
    CommonOptions common;
    std::vector<std::filesystem::path> sources;
};

/// `kvprof sql`
struct SqlOptions {
    CommonOptions common;
    std::string statement;
};

/// `kvprof schema`
struct SchemaOptions {
    CommonOptions common;
    std::string name; ///< empty: lists the names
};

/// `kvprof _complete`: what a shell could put for a reference.
struct CompleteOptions {
    CommonOptions common;
    std::string what; ///< "refs", "baselines"
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

/// `kvprof run --help-backends`
struct BackendOptions {};

/// `--help` and `kvprof help TOPIC`
struct HelpOptions {
    std::string text;
};

using Command = std::variant<
    HelpOptions,
    VersionOptions,
    PresetOptions,
    BackendOptions,
    RunOptions,
    RowsOptions,
    MeasureOptions,
    ListOptions,
    ShowOptions,
    RemoveOptions,
    TagOptions,
    DiffOptions,
    GateOptions,
    BaselineOptions,
    CalibrateOptions,
    CeilingsOptions,
    SelftestOptions,
    ReportOptions,
    ClaimsOptions,
    VerifyOptions,
    ExportOptions,
    ImportOptions,
    MergeOptions,
    SqlOptions,
    SchemaOptions,
    CompleteOptions,
    DoctorOptions>;

[[nodiscard]] ExitCode run(const HelpOptions& options);
[[nodiscard]] ExitCode run(const VersionOptions& options);
[[nodiscard]] ExitCode run(const PresetOptions& options);
[[nodiscard]] ExitCode run(const BackendOptions& options);
[[nodiscard]] ExitCode run(const RunOptions& options);
[[nodiscard]] ExitCode run(const RowsOptions& options);
[[nodiscard]] ExitCode run(const MeasureOptions& options);
[[nodiscard]] ExitCode run(const ListOptions& options);
[[nodiscard]] ExitCode run(const ShowOptions& options);
[[nodiscard]] ExitCode run(const RemoveOptions& options);
[[nodiscard]] ExitCode run(const TagOptions& options);
[[nodiscard]] ExitCode run(const DiffOptions& options);
[[nodiscard]] ExitCode run(const GateOptions& options);
[[nodiscard]] ExitCode run(const BaselineOptions& options);
[[nodiscard]] ExitCode run(const CalibrateOptions& options);
[[nodiscard]] ExitCode run(const CeilingsOptions& options);
[[nodiscard]] ExitCode run(const SelftestOptions& options);
[[nodiscard]] ExitCode run(const ReportOptions& options);
[[nodiscard]] ExitCode run(const ClaimsOptions& options);
[[nodiscard]] ExitCode run(const VerifyOptions& options);
[[nodiscard]] ExitCode run(const ExportOptions& options);
[[nodiscard]] ExitCode run(const ImportOptions& options);
[[nodiscard]] ExitCode run(const MergeOptions& options);
[[nodiscard]] ExitCode run(const SqlOptions& options);
[[nodiscard]] ExitCode run(const SchemaOptions& options);
[[nodiscard]] ExitCode run(const CompleteOptions& options);
[[nodiscard]] ExitCode run(const DoctorOptions& options);

} // namespace kvprof::cli
