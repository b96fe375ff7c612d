#pragma once

#include "analyzers/gate.h"

#include <cstddef>
#include <optional>
#include <string>

namespace kvprof::analyzers {

/// One gated row as the words of a gate need it: of a metric or of a kernel. Points into a result.
struct RowFacts {
    std::string name; ///< "step_time", "step_time at batch=8"
    const Delta* metric = nullptr;
    const KernelDelta* kernel = nullptr;
    const SampledTest* test = nullptr; ///< null for an exact row, and without values
    std::optional<double> threshold;   ///< as the test's change
    Verdict verdict = Verdict::inconclusive;
    std::string reason;
};

/// "step_time"; with the id where the word stands for several rows of the case, as it does of
/// imported profiles: "step_time (span.wall)".
[[nodiscard]] std::string name_of(const GateResult& result, const GatedRow& row);

/// A row without a verdict (better in neither direction) reads as inconclusive.
[[nodiscard]] RowFacts row_facts(const GateResult& result, const GatedRow& row);

/// "+1.49% [+1.41, +1.57]", "+2.0 MiB [no interval]", "41 -> 40 (-1)", "41".
[[nodiscard]] std::string change_of(const RowFacts& row);

/// "step_time +1.49% [+1.41, +1.57] > 1%", "step_time +0.02% [-0.11, +0.15] within 1%",
/// "step_time +1.20% [+0.90, +1.50] within the noise floor of 5.1% (limit 1%)",
/// "step_time too-noisy, would have seen 2.10% > 1%; 16 runs a side would decide", "launches 41 ->
/// 40 (-1)".
[[nodiscard]] std::string row_words(const RowFacts& row);

/// That the calibrated floor stands in for a narrower limit of the policy; empty when it does not.
[[nodiscard]] std::string noise_words(const RowFacts& row);

/// Why a sampled row can not be gated at its threshold with as many runs on this machine, and how
/// many would do; empty when it can, and where nothing says what would have been seen.
[[nodiscard]] std::string power_words(const RowFacts& row);

} // namespace kvprof::analyzers
