#pragma once

#include "analyzers/compare.h"
#include "analyzers/pairs.h"
#include "analyzers/table.h"

#include <string>
#include <vector>

namespace kvprof::analyzers {

/// A comparison among several, under the name of its case: "batch=8".
struct NamedCase {
    std::string name;
    const Comparison* comparison = nullptr;
};

[[nodiscard]] std::vector<NamedCase> named(const std::vector<Comparison>& cases);
[[nodiscard]] std::vector<NamedCase> named(const PairedComparison& pairs);

/// "8 -> 64": the values of the first field that differs; "-" without any.
[[nodiscard]] std::string first_change(const Comparison& comparison);
/// Of the first case: all cases of a comparison are of one design.
[[nodiscard]] std::string interval_title(const std::vector<NamedCase>& cases);

/// One line a case: the time, the launches and the graph's bytes on both sides, and its verdict.
/// @param field the column of what differs; empty: all cases differ in the same, and none is shown
[[nodiscard]] Table
overview_table(const std::vector<NamedCase>& cases, const std::string& field = {});
/// The first that a case has of not-comparable, regressed, inconclusive, improved; else same.
/// Inconclusive without cases.
[[nodiscard]] Verdict verdict_of(const std::vector<Comparison>& cases);
/// "3 cases: 1 regressed, 2 same".
[[nodiscard]] std::string describe_cases(const std::vector<Comparison>& cases);
/// The greatest exit code of the cases; 4 when there is none.
[[nodiscard]] ExitCode exit_code_of(const std::vector<Comparison>& cases);
/// What the cases do not decide, each limit once.
[[nodiscard]] std::vector<std::string> limits_of(const std::vector<NamedCase>& cases);
/// Runs of both sides of all cases.
[[nodiscard]] std::vector<Run> runs_of(const std::vector<NamedCase>& cases);
/// What was changed in every case, "; " between different ones.
[[nodiscard]] std::string describe_treatments(const std::vector<NamedCase>& cases);

} // namespace kvprof::analyzers
