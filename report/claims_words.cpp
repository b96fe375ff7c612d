#include "report/claims_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace kvprof::report {

namespace {

std::string claim_words(const Claim& claim) {
    return claim.prose.empty() ? claim.text : fmt::format("{} ({})", claim.prose, claim.text);
}

} // namespace

std::string reason_words(const ClaimAnswer& answer) {
    if (!answer.runs_needed) {
        return answer.why;
    }
    return fmt::format(
        "{}{}{} runs a side would decide",
        answer.why,
        answer.why.empty() ? "" : "; ",
        *answer.runs_needed
    );
}

analyzers::Table claims_table(const CheckedClaims& claims) {
    const bool has_cases =
        std::any_of(claims.answers.begin(), claims.answers.end(), [](const ClaimAnswer& answer) {
            return !answer.cell.empty();
        });
    std::vector<analyzers::Column> columns{{"claim"}};
    if (has_cases) {
        columns.push_back({"case"});
    }
    for (const char* title : {"measured", "answer", "why"}) {
        columns.push_back({title});
    }
    analyzers::Table table(std::move(columns));
    for (const ClaimAnswer& answer : claims.answers) {
        const std::string claim = claim_words(answer.claim);
        const std::string measured = answer.measured.empty() ? "-" : answer.measured;
        const std::string verdict(to_string(answer.verdict));
        const std::string why = reason_words(answer);
        if (has_cases) {
            const std::string cell = answer.cell.empty() ? "-" : answer.cell;
            table.add({claim, cell, measured, verdict, why});
        } else {
            table.add({claim, measured, verdict, why});
        }
    }
    return table;
}

std::string describe_claims(const CheckedClaims& claims) {
    std::vector<std::string> counts;
    for (const auto& [verdict, name] : EnumNames<ClaimVerdict>::values) {
        const auto count = std::count_if(
            claims.answers.begin(),
            claims.answers.end(),
            [wanted = verdict](const ClaimAnswer& answer) { return answer.verdict == wanted; }
        );
        if (count > 0) {
            counts.push_back(fmt::format("{} {}", count, name));
        }
    }
    const std::size_t all = claims.answers.size();
    return fmt::format("{} {}: {}", all, all == 1 ? "claim" : "claims", fmt::join(counts, ", "));
}

} // namespace kvprof::report
