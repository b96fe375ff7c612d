#include "analyzers/change_words.h"
#include "analyzers/comparison_sections.h"
#include "analyzers/figures.h"
#include "analyzers/profile_sections.h"
#include "analyzers/run_sections.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace kvprof::analyzers {

namespace {

/// "1", "0.25": launches a step.
std::string launches(double value) {
    return format_value(Unit::count, value);
}

std::string share_cell(const std::optional<double>& share) {
    constexpr double kHalfPercent = 0.005; // below, the sign would stand before a 0
    if (!share) {
        return "-";
    }
    return fmt::format("{:.0f} %", std::abs(*share) < kHalfPercent ? 0.0 : *share * 100.0);
}

/// "2 regressed, 1 improved, 58 same, 3 not tested".
std::string kernel_counts(const std::vector<KernelDelta>& kernels) {
    std::vector<std::string> counts;
    const auto add = [&](auto&& is_counted, std::string_view name) {
        const auto count = std::count_if(kernels.begin(), kernels.end(), is_counted);
        if (count > 0) {
            counts.push_back(fmt::format("{} {}", count, name));
        }
    };
    for (const auto& [verdict, name] : EnumNames<Verdict>::values) {
        add([wanted = verdict](const KernelDelta& kernel) { return kernel.verdict == wanted; },
            name);
    }
    add([](const KernelDelta& kernel) { return !kernel.verdict; }, "not tested");
    return fmt::format("{}", fmt::join(counts, ", "));
}

/// "false discovery rate 5 %": of the looks that the comparison had.
std::string rate_words(const Comparison& comparison, const Policy& policy) {
    const auto& primary = policy.primary;
    if (std::find(primary.begin(), primary.end(), "kernels") != primary.end()) {
        return "family error " + effect_words(comparison.alpha, true, Unit::ratio);
    }
    const double rate = policy.q * comparison.alpha / policy.alpha;
    return "false discovery rate " + effect_words(rate, true, Unit::ratio);
}

bool is_decided(const KernelDelta* kernel) {
    return kernel->verdict == Verdict::regressed || kernel->verdict == Verdict::improved;
}

/// Whether a kernel of both sides has too little of the step to be tested: its change is noise.
bool is_below_floor(const KernelDelta& kernel) {
    constexpr double kTested = 0.001;            // of the step, as kernel_deltas() has it
    const bool has_share = kernel.of_step > 0.0; // else the step is unknown
    return !kernel.verdict && kernel.base_launches > 0.0 && kernel.candidate_launches > 0.0
           && has_share && kernel.of_step < kTested;
}

/// Those that changed, decided ones first, else in the order of their change.
std::vector<const KernelDelta*> moved_kernels(const std::vector<KernelDelta>& kernels) {
    std::vector<const KernelDelta*> moved;
    for (const KernelDelta& kernel : kernels) {
        const bool is_same = kernel.change_ns == 0.0 || kernel.verdict == Verdict::same;
        if (!is_same && !is_below_floor(kernel)) {
            moved.push_back(&kernel);
        }
    }
    std::stable_partition(moved.begin(), moved.end(), is_decided);
    return moved;
}

/// How kernels were matched, in words.
std::string match_words(KernelMatch match) {
    switch (match) {
    case KernelMatch::name: return "by full name";
    case KernelMatch::spelling: return "by name without casts, parameters and spaces";
    case KernelMatch::base_name: return "by base name";
    case KernelMatch::renamed:
        return "renamed (launch shape, launches a step and neighbours agree)";
    }
    return {};
}

/// How the kernels of two imported sides found each other, and the time of those that did not.
std::vector<std::string> match_lines(const std::vector<KernelDelta>& kernels) {
    std::vector<std::string> counts;
    for (const auto& [match, word] : EnumNames<KernelMatch>::values) {
        const auto count =
            std::count_if(kernels.begin(), kernels.end(), [wanted = match](const KernelDelta& one) {
                return one.is_kernel && one.match == wanted;
            });
        if (count > 0) {
            counts.push_back(fmt::format("{} {}", count, match_words(match)));
        }
    }
    double of_base = 0.0;
    double of_candidate = 0.0;
    for (const KernelDelta& kernel : kernels) {
        const bool is_alone = kernel.is_kernel && !kernel.match;
        of_base += is_alone ? kernel.base_median : 0.0;
        of_candidate += is_alone ? kernel.candidate_median : 0.0;
    }
    return {
        fmt::format(
            "kernels matched: {}",
            counts.empty() ? "none" : fmt::format("{}", fmt::join(counts, ", "))
        ),
        fmt::format(
            "unmatched kernel time, a step: {} of the base, {} of the candidate",
            format_value(Unit::nanoseconds, of_base),
            format_value(Unit::nanoseconds, of_candidate)
        )};
}

/// "b: renamed from a" of a kernel that was matched without its name.
std::string rename_line(const KernelDelta& kernel) {
    const std::string name = short_kernel_name(kernel.name);
    const std::string before = short_kernel_name(kernel.base_name);
    return name == before ? fmt::format("{}: renamed from {}", kernel.name, kernel.base_name)
                          : fmt::format("{}: renamed from {}", name, before);
}

Table kernel_table() {
    return Table(
        {{"kernel", Align::left, Fit::elided},
         {"op"},
         {"launches", Align::right},
         {"base, a step", Align::right},
         {"candidate", Align::right},
         {"change", Align::right},
         {"of the kernel", Align::right},
         {"share of step change", Align::right},
         {"verdict"}}
    );
}

std::string time_cell(double launches_of_side, double ns) {
    return launches_of_side == 0.0 ? "-" : format_value(Unit::nanoseconds, ns);
}

std::string relative_cell(const KernelDelta& kernel) {
    if (kernel.base_launches == 0.0) {
        return "new";
    }
    if (kernel.candidate_launches == 0.0) {
        return "gone";
    }
    return kernel.test ? change_words(*kernel.test, Unit::nanoseconds) : "-";
}

std::vector<Cell> kernel_cells(const KernelDelta& kernel) {
    std::string verdict(kernel.verdict ? to_string(*kernel.verdict) : "-");
    const bool is_undecided = !kernel.verdict || kernel.verdict == Verdict::inconclusive;
    const bool is_one_sided = kernel.base_launches == 0.0 || kernel.candidate_launches == 0.0;
    if (is_undecided && !is_one_sided && !kernel.reason.empty()) {
        verdict = kernel.reason;
    }
    return {
        Cell::code(short_kernel_name(kernel.name)),
        std::string(op_words(kernel.op)),
        fmt::format(
            "{} -> {}", launches(kernel.base_launches), launches(kernel.candidate_launches)
        ),
        time_cell(kernel.base_launches, kernel.base_median),
        time_cell(kernel.candidate_launches, kernel.candidate_median),
        signed_time(kernel.change_ns),
        relative_cell(kernel),
        share_cell(kernel.of_step_change),
        verdict};
}

void add_ledger_row(Table& table, const LedgerLine& line) {
    const bool is_there = line.base != 0.0 || line.candidate != 0.0;
    if (is_there) {
        table.add(
            {line.name,
             format_value(Unit::nanoseconds, line.base),
             format_value(Unit::nanoseconds, line.candidate),
             time_change_words(line.change)}
        );
    }
}

} // namespace

Section kernel_deltas_section(const Comparison& comparison, const Policy& policy) {
    if (comparison.kernels.empty()) {
        return {};
    }
    const std::vector<const KernelDelta*> moved = moved_kernels(comparison.kernels);
    const bool is_of_profiles = compares_profiles(comparison);
    const std::size_t most = is_of_profiles ? kMostProfileKernels : kMostKernels;
    const std::size_t shown = std::min(moved.size(), most);
    Table table = kernel_table();
    for (std::size_t i = 0; i < shown; ++i) {
        table.add(kernel_cells(*moved[i]));
    }
    Section section{
        fmt::format(
            "kernels that moved ({} of {}, {})",
            moved.size(),
            comparison.kernels.size(),
            rate_words(comparison, policy)
        ),
        std::move(table),
        {kernel_counts(comparison.kernels)}};
    if (is_of_profiles) {
        for (std::string& line : match_lines(comparison.kernels)) {
            section.lines.push_back(std::move(line));
        }
    }
    for (std::size_t i = 0; i < shown; ++i) {
        if (moved[i]->match == KernelMatch::renamed) {
            section.lines.push_back(rename_line(*moved[i]));
        }
    }
    if (moved.size() > shown) {
        section.lines.push_back(
            fmt::format("{} more that moved: see --format json", moved.size() - shown)
        );
    }
    return section;
}

std::string controls_line(const Comparison& comparison) {
    if (!comparison.controls) {
        return {};
    }
    const Controls& controls = *comparison.controls;
    return fmt::format(
        "controls: {} with equal code and geometry moved by {:+.2f} % (n {}+{}){}",
        controls.kernels == 1 ? "1 kernel" : fmt::format("{} kernels", controls.kernels),
        (controls.ratio - 1.0) * 100.0 + 0.0,
        controls.base_runs,
        controls.candidate_runs,
        !controls.is_tested ? ", which proves nothing"
        : controls.is_drift ? ": the environment drifted"
                            : ""
    );
}

std::string ledger_line(const Comparison& comparison) {
    if (!comparison.ledger) {
        return {};
    }
    const LedgerDelta& ledger = *comparison.ledger;
    const bool is_untraced = ledger.untraced.has_value();
    std::string line = fmt::format(
        "kernels account for {} of {} by which the {}step changed",
        signed_time(ledger.kernels.value),
        time_change_words(is_untraced ? *ledger.untraced : ledger.traced),
        is_untraced ? "" : "traced "
    );
    if (ledger.rest) {
        line += fmt::format(
            "; {} unexplained{}",
            signed_time(ledger.rest->value),
            ledger.rest->interval
                ? " (+-" + format_value(Unit::nanoseconds, margin_of(*ledger.rest)) + ")"
                : " (no interval)"
        );
    }
    return line;
}

Section ledger_delta_section(const Comparison& comparison) {
    if (!comparison.ledger) {
        return {};
    }
    const LedgerDelta& ledger = *comparison.ledger;
    Table table(
        {{"part"},
         {"base, a step", Align::right},
         {"candidate", Align::right},
         {"change, 95 % interval", Align::right}}
    );
    for (const LedgerLine& line : ledger.lines) {
        add_ledger_row(table, line);
    }
    double base = 0.0;
    double candidate = 0.0;
    for (const LedgerLine& line : ledger.lines) { // the parts of a step are its sum
        base += line.base;
        candidate += line.candidate;
    }
    table.add(
        {"= traced step",
         format_value(Unit::nanoseconds, base),
         format_value(Unit::nanoseconds, candidate),
         time_change_words(ledger.traced)}
    );
    if (ledger.untraced) {
        table.add({"step without a tracer", "", "", time_change_words(*ledger.untraced)});
    }
    Section section{
        fmt::format(
            "ledger of time compared ({} + {} traced runs)", ledger.base_runs, ledger.candidate_runs
        ),
        std::move(table),
        {}};
    if (ledger.is_finding) {
        section.lines.emplace_back(
            "finding: what kernels leave is beyond its interval and over a quarter of the change: "
            "time outside kernels, or a fault of the measurement"
        );
    }
    return section;
}

} // namespace kvprof::analyzers
