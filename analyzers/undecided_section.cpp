#include "analyzers/comparison_sections.h"
#include "analyzers/figures.h"
#include "analyzers/grouped_lines.h"
#include "analyzers/profile_sections.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// What to do about a reason that the numbers do not explain by themselves.
constexpr std::array kAdvice{
    std::pair{
        std::string_view("unstable-machine"),
        "the condition stayed until no replacement was left; measure again on a quiet device"},
    std::pair{
        std::string_view("source-cannot-prove-zero"),
        "the device's free memory did not move, which proves nothing; the ledger decides"},
    std::pair{
        std::string_view("clock-confounded"),
        "the time changed, the cycles do not say the same; lock the clocks and measure again"},
    std::pair{
        std::string_view("environment-drift"),
        "kernels that can not have changed moved as well; measure again, interleaved"},
    std::pair{
        std::string_view("stored-baseline"),
        "the base was measured at another time; measure both sides in turns (run --ab)"},
    std::pair{
        std::string_view("single-layout"),
        "the runs shared one process and so one layout of memory; drop --single-process"},
    std::pair{
        std::string_view("windows-differ"),
        "the sides have other numbers of steps or ranks; compare figures of a step and rank"},
    std::pair{std::string_view("not-confirmed"), "the second measurement did not say the same"},
    std::pair{std::string_view("capture-failure"), "records were refused; the pass says why"}};

/// The same of profiles, which this program did not capture.
constexpr std::array kAdviceOfProfiles{
    std::pair{
        std::string_view("stored-baseline"),
        "the base was captured at another time; kvprof diff of two imported sides asks for no "
        "occasions"},
    std::pair{
        std::string_view("environment-drift"),
        "kernels that can not have changed moved as well; capture both sides in turns"}};

std::string advice_of(std::string_view reason, bool is_imported) {
    const auto find = [&](const auto& all) -> std::string {
        for (const auto& [beginning, advice] : all) {
            if (reason.starts_with(beginning)) {
                return advice;
            }
        }
        return {};
    };
    const std::string own = is_imported ? find(kAdviceOfProfiles) : std::string();
    return own.empty() ? find(kAdvice) : own;
}

std::string noise_words(const Delta& row) {
    std::string words;
    if (const std::string limit = limit_words(row); !limit.empty()) {
        words = "the interval crosses " + limit;
    }
    if (const std::string effect = detectable_cell(row); effect != "-") {
        words += fmt::format("{}detectable at this noise: {}", words.empty() ? "" : "; ", effect);
    }
    return words;
}

/// Why a row is undecided and what would decide it, without its name.
std::string sentence_of(const Delta& row, bool is_imported) {
    std::string sentence = row.reason;
    const auto add = [&](const std::string& words) {
        sentence += words.empty() ? "" : (sentence == row.reason ? ": " : "; ") + words;
    };
    const bool is_bare = row.reason.find(':') == std::string::npos;
    if (row.reason == "too-few-runs") {
        for (const std::string& remark : row.remarks) {
            add(is_about_few_runs(remark) ? remark : "");
        }
    } else if (row.test && row.reason.starts_with("too-noisy")) {
        add(noise_words(row));
    } else if (is_bare) {
        add(advice_of(row.reason, is_imported));
    }
    if (row.runs_needed && is_imported && !row.is_by_occasion) {
        add(fmt::format(
            "import at least {} captures a side: kvprof import --side NAME FILE...",
            *row.runs_needed
        ));
    } else if (row.runs_needed) {
        add(row.is_by_occasion ? fmt::format("it needs {} occasions a side", *row.runs_needed)
                               : fmt::format("run at least {} a side", *row.runs_needed));
    }
    return sentence;
}

} // namespace

bool is_about_few_runs(std::string_view remark) {
    return remark == "ranges disjoint" || remark.find("can not go below p") != remark.npos;
}

Section undecided_section(const Comparison& comparison) {
    GroupedLines undecided;
    for (const Delta& row : comparison.deltas) {
        if (row.verdict == Verdict::inconclusive) {
            undecided.add(sentence_of(row, compares_profiles(comparison)), row.id);
        }
    }
    return {"undecided, and what would decide", std::nullopt, undecided.lines()};
}

} // namespace kvprof::analyzers
