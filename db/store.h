#pragma once

#include "capture/model/run.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::db {

class Connection;

/// read: an existing store, nothing is changed. write: an existing store. create: the file and its
/// parent folder are made when they are missing.
enum class OpenMode : std::uint8_t { read, write, create };

/// One row of `kvprof ls`.
struct ExperimentSummary {
    std::string uuid;
    std::string started_at; ///< UTC, ISO 8601
    std::string label;
    std::string command_line;
    ExperimentState state = ExperimentState::running;
    ExperimentKind kind = ExperimentKind::matrix;
    std::int64_t runs = 0;
    std::int64_t complete_runs = 0;
    std::int64_t void_runs = 0; ///< of `runs`: others took their place
    std::int64_t variants = 0;  ///< distinct variants among the runs
    std::vector<std::string> tags;

    friend bool operator==(const ExperimentSummary&, const ExperimentSummary&) = default;
};

struct RunSummary {
    std::string uuid;
    std::string experiment; ///< uuid
    std::string variant;
    std::int64_t repeat = 0;
    std::int64_t position = 0;
    RunState state = RunState::complete;
    bool has_events = false; ///< load_events() gives some

    friend bool operator==(const RunSummary&, const RunSummary&) = default;
};

/// A name for an experiment, or for one of its runs.
struct Tag {
    std::string name;
    std::string experiment;         ///< uuid
    std::optional<std::string> run; ///< uuid, when the name is of one run

    friend bool operator==(const Tag&, const Tag&) = default;
};

/// Runs that later ones are compared with. To set a baseline anew adds a revision; the highest of
/// its name is the current one, and the others stay for the record.
struct Baseline {
    std::string name;
    std::int64_t revision = 0; ///< from 1; the store counts
    std::string set_at;        ///< UTC, ISO 8601
    std::string author;
    std::string reason;
    /// uuids, perhaps of several experiments, in the order in which they were measured. Of a
    /// revision that is not current, those that are still stored.
    std::vector<std::string> runs;

    friend bool operator==(const Baseline&, const Baseline&) = default;
};

/// An experiment or a run, found by the start of its uuid.
struct StoredId {
    std::string uuid;
    std::string experiment; ///< uuid of the run's experiment, or the experiment's own
    std::string started_at; ///< UTC, ISO 8601
    bool is_run = false;

    friend bool operator==(const StoredId&, const StoredId&) = default;
};

/// The store: one SQLite file of experiments and their runs; docs/schema.md describes its tables.
/// It keeps facts as they were measured, and no verdict. Every change is one transaction, so a kill
/// loses at most the run that was being added. Not for use by two threads at a time.
///
/// Every member @throws StoreError when the file can not be used: missing, not a store, written by
/// a newer program, damaged, locked by another process for longer than `lock_wait`, disk full.
class Store {
  public:
    static constexpr std::chrono::milliseconds kLockWait{5000};

    explicit Store(
        const std::filesystem::path& path,
        OpenMode mode,
        std::chrono::milliseconds lock_wait = kLockWait
    );
    Store(Store&&) noexcept;
    Store& operator=(Store&&) noexcept;
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;
    ~Store();

    [[nodiscard]] const std::filesystem::path& path() const noexcept;

    /// Adds the experiment and the runs that it holds.
    void add_experiment(const Experiment& experiment);
    /// Adds one run, all or nothing. @throws StoreError when the experiment is unknown.
    void add_run(std::string_view experiment_uuid, const Run& run);
    /// Puts a run that observed more in the place of the one with its uuid, all or nothing; tags
    /// and baselines keep it.
    void replace_run(std::string_view experiment_uuid, const Run& run);
    void finish_experiment(std::string_view experiment_uuid, ExperimentState state);

    /// Runs come in the order of their positions, without their events (load_events() brings them).
    /// @throws StoreError when the uuid is unknown.
    [[nodiscard]] Experiment load_experiment(std::string_view uuid) const;
    /// The runs of all given uuids, in that order, without their events.
    [[nodiscard]] std::vector<Run> load_runs(const std::vector<std::string>& uuids) const;
    /// Run::events of one run. They can be millions, and a timeline alone needs them: whoever
    /// copies a run from store to store has to ask for them. @throws StoreError when the uuid is
    /// unknown.
    [[nodiscard]] std::vector<KernelEvent> load_events(std::string_view run_uuid) const;

    /// Newest first; experiments that started in the same second, last added first. With a kind,
    /// those of that kind alone.
    [[nodiscard]] std::vector<ExperimentSummary>
    list_experiments(std::optional<ExperimentKind> kind = std::nullopt) const;
    /// uuids of the calibrations that have runs of this step, newest first: finding out reads one
    /// run's specification each, where loading them all reads every run.
    [[nodiscard]] std::vector<std::string> calibrations_of(const StepSpec& step) const;
    /// In the order of their positions.
    [[nodiscard]] std::vector<RunSummary> list_runs(std::string_view experiment_uuid) const;
    /// The uuid of a run's experiment. @throws StoreError when the run is unknown.
    [[nodiscard]] std::string experiment_of(std::string_view run_uuid) const;
    /// Experiments, then runs, whose uuid starts with `prefix` (lower-case hex digits).
    [[nodiscard]] std::vector<StoredId> ids_starting_with(std::string_view prefix) const;

    /// Removes an experiment with its runs, or one run; tags of what is removed go too, and
    /// revisions of a baseline that are not current lose it.
    /// @throws StoreError when the uuid is unknown. @throws UsageError when the current revision of
    /// a baseline holds it, or one of its runs.
    void remove(std::string_view uuid);
    /// As remove(), of all of them or none.
    void remove(const std::vector<std::string>& uuids);

    /// Names an experiment or a run. A tag that exists moves. @throws UsageError when the name
    /// could be taken for another kind of reference (empty, leading `@` or `baseline/`, `kind:`,
    /// white space).
    void tag(std::string_view name, std::string_view uuid);
    /// @throws UsageError when there is no such tag.
    void untag(std::string_view name);
    /// Sorted by name.
    [[nodiscard]] std::vector<Tag> tags() const;

    /// Adds the next revision of the baseline of that name, all or nothing, and returns its number;
    /// `revision` of the argument is not read, and a run that is given twice counts once.
    /// @throws UsageError when the name could be taken for another kind of reference (as of a tag,
    /// and no slash), or when there are no runs. @throws StoreError when a run is unknown.
    std::int64_t set_baseline(const Baseline& baseline);
    /// By name, newest revision first.
    [[nodiscard]] std::vector<Baseline> baselines() const;
    /// Removes all revisions. @throws UsageError, with the nearest name, when there is none.
    void remove_baseline(std::string_view name);

    /// Keeps what a device was measured to reach, beside those of its runs.
    void add_ceilings(const Ceilings& ceilings);
    /// Of each device and driver the ceilings that were measured last, by a run or without one;
    /// the newest first.
    [[nodiscard]] std::vector<Ceilings> ceilings() const;

    /// For db/ alone.
    [[nodiscard]] Connection& connection() const noexcept { return *connection_; }

  private:
    std::unique_ptr<Connection> connection_;
};

/// 32 random hex digits: the uuid of a new experiment or run.
[[nodiscard]] std::string new_uuid();

} // namespace kvprof::db
