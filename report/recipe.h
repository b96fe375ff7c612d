#pragma once

#include "report/format.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::report {

/// A file that a report was made with, as it was.
struct EmbeddedFile {
    std::string origin; ///< its name, as reports print it: no machine's own path
    std::string text;

    friend bool operator==(const EmbeddedFile&, const EmbeddedFile&) = default;
};

/// Runs of a store, under the name that they have in the report.
struct RecipeRuns {
    std::string label;             ///< "baseline/main", "@latest/index-mode=stream"
    std::string experiment;        ///< uuid; empty: of several experiments
    std::vector<std::string> runs; ///< uuids, in order; empty: every run of the experiment

    friend bool operator==(const RecipeRuns&, const RecipeRuns&) = default;
};

/// Everything that a report was made from, besides the store: the same recipe and the same facts
/// give the same bytes on every machine, at any time. Reports carry it, and `kvprof verify` reads
/// it back.
struct Recipe {
    Format format = Format::markdown;
    CsvTable table = CsvTable::metrics;
    /// One: a run, an experiment, or the sides of an A/B experiment. Two: base and candidate.
    std::vector<RecipeRuns> sides;
    std::string by;                    ///< the field that pairs the cells of a matrix
    bool is_listing = false;           ///< the runs as they are, also of an A/B experiment
    bool is_gate = false;              ///< of `kvprof gate`: the answer of a gate leads
    bool is_stored_baseline = false;   ///< the base was measured at another time
    bool allows_single_layout = false; ///< of a gate
    std::string on_inconclusive;       ///< instead of the policy's; empty: the policy's
    std::string confirmation;          ///< uuid of the experiment that measured a gate's again
    std::vector<std::string> remarks;  ///< of a gate, on what it alone could know
    std::vector<std::string> treatment;
    std::vector<std::string> allowed_mismatch;
    bool is_strict_env = false;
    bool is_unpaired = false;
    /// "2026-11-29": on this day acceptances of the policy hold or have expired.
    std::string day;
    std::optional<std::int64_t> step; ///< that a timeline shows, of the kept ones; else the median
    std::optional<EmbeddedFile> policy; ///< nothing: the built-in one
    std::optional<EmbeddedFile> claims;
    std::vector<std::string>
        calibrations; ///< uuids of the experiments that the noise is known from

    friend bool operator==(const Recipe&, const Recipe&) = default;
};

/// One line of JSON, kvprof.recipe/1; "-->" and "</" can not occur in it, so that it may stand in a
/// comment or a script of HTML.
[[nodiscard]] std::string recipe_json(const Recipe& recipe);

/// @throws UsageError when it is no recipe of a version that this program knows.
[[nodiscard]] Recipe parse_recipe(std::string_view json);

/// "kvr_" and 16 hex digits: a hash of recipe_json(). It names what was compared, not its figures.
[[nodiscard]] std::string report_id(const Recipe& recipe);

} // namespace kvprof::report
