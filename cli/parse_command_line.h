#pragma once

#include "cli/commands.h"
#include "cli/parse_common.h"
#include "cli/parse_import.h"
#include "cli/parse_run.h"
#include "cli/parse_tune.h"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::cli {

// Included by the parser's sources alone.

/// The texts that CLI11 fills, and what becomes of them.
class CommandLine {
  public:
    CommandLine();
    [[nodiscard]] Command read(const std::vector<std::string>& arguments);

  private:
    void add_measuring_verbs();
    void add_sweep_verb();
    void add_proving_verbs();
    void add_judging_verbs();
    void add_store_verbs();
    void add_report_verbs();
    void add_exchange_verbs();
    void add_other_verbs();
    CLI::App& add_verb(const char* name);

    void parse(const std::vector<std::string>& arguments);
    [[nodiscard]] Command command(const std::vector<std::string>& arguments) const;
    /// Of verbs that measure or name what is compared with.
    [[nodiscard]] std::optional<Command>
    measuring_command(const std::string& name, const std::vector<std::string>& arguments) const;
    [[nodiscard]] Command
    exchange_command(const std::string& name, const std::vector<std::string>& arguments) const;
    [[nodiscard]] RunOptions run_options(const std::vector<std::string>& arguments) const;
    [[nodiscard]] RowsOptions matrix_options(const std::vector<std::string>& arguments) const;
    [[nodiscard]] RowsOptions tune_options(const std::vector<std::string>& arguments) const;
    [[nodiscard]] RunOptions sweep_options(const std::vector<std::string>& arguments) const;
    /// REF words and the flags of judging; `least` REFs have to be there.
    [[nodiscard]] SubjectOptions subject(std::size_t least) const;
    [[nodiscard]] DiffOptions diff_options() const;
    [[nodiscard]] ReportOptions report_options() const;
    [[nodiscard]] ClaimsOptions claims_options() const;
    [[nodiscard]] VerifyOptions verify_options() const;
    [[nodiscard]] ImportOptions import_options(const std::vector<std::string>& arguments) const;
    [[nodiscard]] MergeOptions merge_options() const;
    [[nodiscard]] ShowOptions show_options() const;
    [[nodiscard]] SqlOptions sql_options() const;
    [[nodiscard]] GateOptions gate_options(const std::vector<std::string>& arguments) const;
    [[nodiscard]] BaselineOptions baseline_options() const;
    [[nodiscard]] CalibrateOptions calibrate_options(const std::vector<std::string>& arguments
    ) const;
    [[nodiscard]] SelftestOptions selftest_options(const std::vector<std::string>& arguments) const;
    [[nodiscard]] ExportOptions export_options() const;
    [[nodiscard]] TagOptions tag_options() const;
    [[nodiscard]] HelpOptions help_topic() const;
    [[nodiscard]] const CLI::App& verb() const;

    CLI::App app_;
    CommonTexts common_;
    RunTexts run_;
    JudgeTexts judge_;
    ImportTexts import_;
    TuneTexts tune_;
    std::vector<std::string> references_;
    std::string by_;
    std::string step_;
    std::string baseline_;
    std::string on_inconclusive_;
    std::string author_;
    std::string reason_;
    std::string injected_ = "0%,2%";
    std::string gates_ = "1";
    std::string limit_ = "0";
    std::string claims_;
    std::string as_;
    std::string spec_;
    std::string out_;
    bool shows_version_ = false;
    bool confirms_ = false;
    bool allows_single_layout_ = false;
    bool adds_ = false;
    bool deletes_ = false;
    bool sets_exit_code_ = false;
    bool requires_gpu_ = false;
    bool remeasures_ = false;
    std::string device_ = "0";
    bool is_listing_ = false;
    bool attaches_ = false;
    bool shows_steps_ = false;
    bool shows_kernels_ = false;
    bool lacks_events_ = false;
    bool lacks_calibrations_ = false;
};

} // namespace kvprof::cli
