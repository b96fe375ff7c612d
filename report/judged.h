#pragma once

#include "report/report.h"

#include <string>
#include <vector>

namespace kvprof::report {

/// What is judged. @throws UsageError when nothing is ("could not write junit of a run"), naming
/// forms that fit.
[[nodiscard]] const Judged& judged_of(const Report& report);

/// The verdict that leads a report, a gate's own or that of the cases, and the exit code that
/// `kvprof gate` gives with it.
struct Answer {
    analyzers::Verdict verdict = analyzers::Verdict::inconclusive;
    ExitCode code = ExitCode::inconclusive;
};

[[nodiscard]] Answer answer_of(const Report& report, const Judged& judged);

/// A name for each case, no two alike: its cell, "" for a lone one; where a cell is there more than
/// once, with what differs ("batch=8 index-mode=rectangle->stream").
[[nodiscard]] std::vector<std::string> case_names(const Judged& judged);

/// A gated row in words, without its name: "+1.49% [+1.41, +1.57] > 1%", "too-noisy, would have
/// seen 2.10% > 1%".
[[nodiscard]] std::string words_without_name(const analyzers::GateResult& gate, std::size_t row);

/// Primary metrics that nobody measured in a case, as the policy calls them.
[[nodiscard]] std::vector<std::string>
missing_in(const analyzers::GateResult& gate, std::size_t case_index);

/// Why the sides of a case can not be compared at all; empty when they can.
[[nodiscard]] std::string blocked_by(const analyzers::Comparison& comparison);

/// When the newest of the runs started: "2026-01-02T03:04:05Z"; empty without runs.
[[nodiscard]] std::string newest_start(const std::vector<const Run*>& runs);

} // namespace kvprof::report
