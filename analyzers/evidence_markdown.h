#pragma once

#include "analyzers/cases.h"

#include <string>
#include <vector>

namespace kvprof::analyzers {

// Parts of a report in Markdown that follow the rows which decide.

/// What bears on the verdict and so stands outside details: undecided rows, stamps, concerns,
/// notes; each line under its case.
[[nodiscard]] std::string remarks_markdown(const std::vector<NamedCase>& cases);

/// Under details: the other rows, kernels, the ledger, all values, the method, the environment.
/// @param summary of one details block for all of it, the case's name; empty: a block for each
[[nodiscard]] std::string
evidence_markdown(const Comparison& comparison, const std::string& summary);

} // namespace kvprof::analyzers
