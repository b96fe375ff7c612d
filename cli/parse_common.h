#pragma once

#include "cli/commands.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace kvprof::cli {

/// The flags that verbs share, as text.
struct CommonTexts {
    std::string db;
    std::string format;
    std::string table;
    std::string output;
    std::string color = "auto";
    bool is_json = false;
    bool is_quiet = false;
    bool is_verbose = false;
    bool hides_progress = false;

    /// Adds those of every verb.
    void add_to(CLI::App& verb);
    /// Adds --db and --help alone, to a verb that changes the store.
    void add_place_to(CLI::App& verb);
    /// Adds -o and --help alone, to a verb that reads no store.
    void add_output_to(CLI::App& verb);
    /// Adds --table, to a verb that writes CSV.
    void add_table_to(CLI::App& verb);
    /// Adds -q, to a verb that says more than its result.
    void add_quiet_to(CLI::App& verb);
    /// Adds -q, -v and --no-progress, to a verb that shows progress.
    void add_progress_to(CLI::App& verb);
    /// @throws UsageError for a format that the verb does not have.
    [[nodiscard]] CommonOptions read(const CLI::App& verb) const;

  private:
    void add_db_to(CLI::App& verb);
};

/// The forms that a verb's result can take, the usual one first.
[[nodiscard]] std::vector<Format> forms_of(std::string_view verb);

/// Their words: "text|md|json".
[[nodiscard]] std::string joined(const std::vector<Format>& forms, std::string_view separator);

/// @throws UsageError for the first word that CLI11 could not place, with the nearest that exists.
void refuse_extras(const CLI::App& verb, const std::vector<std::string>& extras);

/// @throws UsageError for an option that was given an empty text, as an unset variable does, other
/// than those that take one.
void refuse_empty(const CLI::App& verb, const std::vector<std::string>& may_be_empty);

/// @throws UsageError for the first option of one of these groups that was given.
void refuse_groups(
    const CLI::App& verb, const std::vector<std::string>& groups, const std::string& why
);

/// The number of words. @throws UsageError when it is outside [min, max].
std::size_t checked_count(const std::vector<std::string>& words, std::size_t min, std::size_t max);

/// "A,B" in order. @throws UsageError for an empty value, and for one that is there twice.
[[nodiscard]] std::vector<std::string> words_of(const char* option, std::string_view text);

/// "2%" or "0.5 %" as a share, 0.02. @throws UsageError for anything else, below 0 and above 100 %.
[[nodiscard]] double parse_percent(const std::string& text, std::string_view option);

/// Who runs this program: $USER, else "unknown".
[[nodiscard]] std::string user_name();

/// "kvprof" and the arguments as a shell would take them back.
[[nodiscard]] std::string quoted(const std::vector<std::string>& arguments);

} // namespace kvprof::cli
