#pragma once

#include "cli/commands.h"
#include "cli/parse_fields.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::cli {

// Included by the parser's sources alone: the texts of options that several verbs share.

/// How two sides are judged.
struct JudgeTexts {
    std::string policy;
    std::vector<std::string> treatment;
    std::vector<std::string> allowed_mismatch;
    bool is_strict_env = false;
    bool is_unpaired = false;

    void add_to(CLI::App& verb);
    /// Adds --policy alone.
    void add_policy_to(CLI::App& verb);
    /// @throws UsageError for the name of no field.
    [[nodiscard]] JudgeOptions read() const;
};

/// What is measured, and in which order.
class RunTexts {
  public:
    /// Every field, --timeout, --label: what all verbs that measure have.
    void add_step_to(CLI::App& verb);
    /// --dry-run: of verbs that plan one experiment.
    void add_dry_run_to(CLI::App& verb);
    /// --vary, --single-process: of verbs that measure several cells.
    void add_cells_to(CLI::App& verb);
    /// --repeats: of verbs that measure several cells in turns.
    void add_repeats_to(CLI::App& verb);
    /// --repeats, --help-presets, --help-backends: of `run` alone.
    void add_matrix_to(CLI::App& verb);
    /// --ab, --runs and --order-seed.
    void add_ab_to(CLI::App& verb);
    /// --ab alone.
    void add_sides_to(CLI::App& verb, const std::string& doc);
    /// --axis, --memory and --ab: of `sweep` alone.
    void add_axes_to(CLI::App& verb);
    /// --runs and --order-seed, of verbs that name the sides themselves.
    void add_runs_to(CLI::App& verb);
    /// --runs as the number of runs of a calibration.
    void add_number_to(CLI::App& verb);

    /// --presets, --backends, --pools, --stages, --memory and --resume: of `matrix` alone.
    void add_systems_to(CLI::App& verb);
    void add_memory_to(CLI::App& verb, const char* group);
    void add_resume_to(CLI::App& verb, const char* group);

    /// Whether the option of a field was given.
    [[nodiscard]] bool gives(std::string_view field) const;
    [[nodiscard]] bool resumes() const;

    /// What --resume names; empty: the newest.
    [[nodiscard]] const std::string& unfinished() const { return resumed_; }

    /// @throws UsageError for a --memory that is no size.
    [[nodiscard]] std::optional<Bytes> memory() const;

    [[nodiscard]] bool is_ab() const;

    [[nodiscard]] bool lists_presets() const { return lists_presets_; }

    [[nodiscard]] bool lists_backends() const { return lists_backends_; }

    /// What a matrix is of. @throws UsageError for an unknown pool or stage, a value that is there
    /// twice, and an option of one system (--preset, --pool, ...) beside them.
    [[nodiscard]] RowsOptions read_matrix() const;

    /// What is swept. @throws UsageError for an axis that can not be read, and for --ab of no
    /// sides.
    [[nodiscard]] RunOptions read_sweep() const;

    /// Everything but `common`, `judge` and `command_line`. @throws UsageError
    [[nodiscard]] RunOptions read() const;

  private:
    void add_order_to(CLI::App& verb);
    [[nodiscard]] DesignOptions design() const;

    std::deque<FieldText> step_;
    std::deque<FieldText> measure_;
    std::vector<std::string> varies_;
    std::vector<std::string> axes_;
    std::vector<std::string> sides_;
    std::vector<CLI::Option*> ab_; ///< of each verb that has it
    std::string runs_;
    std::string order_seed_;
    std::string repeats_ = "1";
    std::string timeout_;
    std::string presets_;
    std::string backends_;
    std::string pools_;
    std::string stages_;
    std::string memory_;
    std::string resumed_;
    std::vector<CLI::Option*> resume_; ///< of each verb that has it
    std::string label_;
    bool lists_presets_ = false;
    bool lists_backends_ = false;
    bool is_dry_ = false;
    bool is_single_process_ = false;
};

} // namespace kvprof::cli
