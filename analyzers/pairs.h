#pragma once

#include "analyzers/compare.h"
#include "analyzers/side.h"

#include <string>
#include <string_view>
#include <vector>

namespace kvprof::analyzers {

/// Two sides of one cell of a matrix: they differ in the paired field alone.
struct Pair {
    std::string cell; ///< the other fields that vary over the runs, "batch=8"; empty when none does
    Side base;
    Side candidate;
};

/// A variant without a counterpart.
struct Unpaired {
    std::string variant; ///< "index-mode=stream batch=8"
    std::string reason;

    friend bool operator==(const Unpaired&, const Unpaired&) = default;
};

struct Pairing {
    std::string field;
    std::vector<Pair> pairs;
    std::vector<Unpaired> unpaired;
};

/// Pairs the runs by one field of the step or measure specification. The base is the value that
/// appears first among the runs; each further value of a cell is compared with it.
/// @throws UsageError when there is no such field (with the nearest name).
[[nodiscard]] Pairing pair_by(std::string_view field, const std::vector<Run>& runs);

/// A comparison for each pair.
struct PairedComparison {
    struct Cell {
        std::string cell;
        Comparison comparison;
    };

    std::string field;
    std::vector<Cell> cells;
    std::vector<Unpaired> unpaired;
};

/// The paired field is the treatment; the cells' primary rows are one family.
[[nodiscard]] PairedComparison compare_pairs(const Pairing& pairing, CompareOptions how = {});

/// The greatest exit code of its cells; 4 when there is none.
[[nodiscard]] ExitCode exit_code_of(const PairedComparison& comparison);

} // namespace kvprof::analyzers
