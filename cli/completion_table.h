#pragma once

#include "cli/parse_usage.h"

#include <string>
#include <string_view>
#include <vector>

namespace kvprof::cli {

/// What can stand for a value: words as they are, and "@files", "@references", "@baselines",
/// "@fields" (names of a run's fields), "@vary" (FIELD=A,B), "@sides" (FIELD=VALUE,...) and
/// "@passes" (names joined by +), which a shell works out. Empty: nothing is known.
using Offer = std::vector<std::string>;

/// What may follow a verb without an option.
struct Places {
    Offer first;
    Offer others;
};

/// All that the script of a shell needs, whichever shell it is.
struct CompletionTable {
    Usage program;
    std::vector<Usage> verbs;
    std::vector<std::string> fields; ///< of a variant: what --vary and --ab change
    std::vector<std::string> facts;  ///< of a run: what --treatment names; the fields among them

    /// Of an option with a value.
    [[nodiscard]] Offer offer_of(const OptionUsage& option) const;
    [[nodiscard]] Places places_of(const Usage& verb) const;
    /// The choices of a field of `fields`: {"int32", "int64"}.
    [[nodiscard]] Offer values_of(std::string_view field) const;
};

[[nodiscard]] CompletionTable completion_table(const CLI::App& program);

[[nodiscard]] std::string bash_script(const CompletionTable& table);
[[nodiscard]] std::string zsh_script(const CompletionTable& table);
[[nodiscard]] std::string fish_script(const CompletionTable& table);

} // namespace kvprof::cli
