#include "analyzers/figures.h"
#include "analyzers/validity.h"
#include "report/claims_answer.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace kvprof::report {

Finding find_side(const Question& question) {
    const Claim& claim = *question.claim;
    const analyzers::Delta& row = *question.row;
    const analyzers::Side& runs =
        claim.kind == ClaimKind::base ? question.one->base : question.one->candidate;
    const analyzers::Summary& side = *claimed_side(question).summary;
    const std::string median = analyzers::format_value(row.metric->unit, side.median);
    Finding finding;
    finding.measured = fmt::format(
        "{} ({} .. {}, {} runs)",
        median,
        analyzers::format_value(row.metric->unit, side.min),
        analyzers::format_value(row.metric->unit, side.max),
        side.n
    );
    finding.verdict = ClaimVerdict::undecided;
    const double low = claim.value - claim.tolerance;
    const double high = claim.value + claim.tolerance;
    const double off = std::abs(side.median - claim.value);
    constexpr std::size_t kFewest = 2;
    if (analyzers::is_disturbed(runs, row.metric->pass) || row.reason == "unstable-machine") {
        finding.why = "unstable-machine";
    } else if (side.n < kFewest) {
        finding.why = "too-few-runs"; // what equal runs differ by is not known
        finding.runs_needed = kFewest;
    } else if (low <= side.min && side.max <= high) {
        finding.verdict = ClaimVerdict::supported;
    } else if (off - claim.tolerance > side.max - side.min) {
        finding.verdict = ClaimVerdict::contradicted;
        finding.why = fmt::format("it is off by {}", size_words(question, off));
    } else {
        finding.why = "not all runs lie within what is claimed";
    }
    return finding;
}

} // namespace kvprof::report
