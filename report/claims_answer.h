#pragma once

#include "report/claims.h"

#include <cstddef>
#include <optional>
#include <string>

namespace kvprof::report {

/// What runs say to a claim.
struct Finding {
    ClaimVerdict verdict = ClaimVerdict::not_tested;
    std::string measured; ///< may be empty
    std::string why;      ///< may be empty
    std::optional<std::size_t> runs_needed;
};

/// A claim and the row of one case that it is about.
struct Question {
    const Claim* claim = nullptr;
    const analyzers::Comparison* one = nullptr;
    const analyzers::Delta* row = nullptr;
    double alpha = 0.05; ///< below it an adjusted p is significant
};

/// Of a row whose metric is exact: arithmetic. @pre the sides that the claim names have values
[[nodiscard]] Finding find_exact(const Question& question);

/// Of a sampled row, by the interval of its change. @pre the sides have values, and the claim is
/// about the change
[[nodiscard]] Finding find_sampled(const Question& question);

/// Of a sampled row, by the values of one side's runs. @pre the claim is about that side, and it
/// has values
[[nodiscard]] Finding find_side(const Question& question);

/// The side that the claim is about. @pre it is about one
[[nodiscard]] const analyzers::SideValues& claimed_side(const Question& question);

/// Whether `off` is no more than the tolerance; figures that were read from decimals are off by a
/// rounding error.
[[nodiscard]] bool is_within(double off, double tolerance);

/// "-3.70 %" of 0.0370 less.
[[nodiscard]] std::string share_words(double share);

/// "2.00 us", "1 %": a size in the claim's terms.
[[nodiscard]] std::string size_words(const Question& question, double size);

} // namespace kvprof::report
