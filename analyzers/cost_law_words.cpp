#include "analyzers/cost_law_words.h"

#include "capture/model/units.h"
#include "stats/median.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace kvprof::analyzers {

namespace {

double time_at(const TimeLaw& law, std::int64_t value) {
    std::vector<double> times;
    for (const LawPoint& point : law.points) {
        if (point.value == value) {
            times.push_back(point.time_ns);
        }
    }
    return stats::median(std::move(times));
}

/// An estimate that may be below 0, with its interval.
template<typename Format>
std::string with_bounds(const std::optional<stats::Coefficient>& figure, const Format& format) {
    if (!figure) {
        return "-";
    }
    const stats::Bounds bounds = stats::bounds_of(*figure);
    return fmt::format(
        "{} [{}, {}]", format(figure->value), format(bounds.low), format(bounds.high)
    );
}

std::string signed_duration(double nanoseconds) {
    return (nanoseconds < 0.0 ? "-" : "") + format_duration_ns(std::abs(nanoseconds));
}

std::string share_words(double share) {
    constexpr double kPercent = 100.0;
    return fmt::format("{:.1f} %", share * kPercent);
}

/// The share of the step's kernel time that a flagged kernel takes at most; nothing of an op alone.
std::string weight_words(const TimeLaw& law) {
    return law.subject.kernel.empty()
               ? ""
               : fmt::format(", up to {} of the step", share_words(law.most_share()));
}

std::string words_of(const std::vector<SweepAxis>& axes) {
    std::vector<std::string_view> names;
    names.reserve(axes.size());
    for (const SweepAxis axis : axes) {
        names.push_back(to_string(axis));
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

std::string work_words(SweepAxis axis) {
    return moves_live_tokens(axis) ? "live tokens" : std::string(to_string(axis));
}

std::string work_unit(SweepAxis axis) {
    switch (axis) {
    case SweepAxis::seq_len:
    case SweepAxis::batch: return "live token";
    case SweepAxis::max_context: return "token of max-context";
    case SweepAxis::max_batch: return "lane of max-batch";
    case SweepAxis::page_size: break;
    }
    return "token of page-size";
}

std::string subject_words(const LawSubject& subject) {
    if (!subject.kernel.empty()) {
        return subject.kernel;
    }
    return subject.op ? fmt::format("{} alone", to_string(*subject.op)) : "the step";
}

std::string shortest_cell(const TimeLaw& law) {
    return format_duration_ns(time_at(law, law.points.front().value));
}

std::string longest_cell(const TimeLaw& law) {
    return format_duration_ns(time_at(law, law.points.back().value));
}

std::string intercept_cell(const std::optional<stats::Coefficient>& intercept) {
    return with_bounds(intercept, signed_duration);
}

std::string slope_cell(const std::optional<stats::Coefficient>& slope) {
    return with_bounds(slope, [](double value) { return fmt::format("{:.4g}", value); });
}

std::string elasticity_cell(const std::optional<stats::Coefficient>& elasticity) {
    return with_bounds(elasticity, [](double value) { return fmt::format("{:.4f}", value); });
}

std::optional<stats::Coefficient>
coefficient(const std::optional<stats::LineFit>& fit, stats::Coefficient stats::LineFit::*which) {
    return fit ? std::optional((*fit).*which) : std::nullopt;
}

std::string points_words(const TimeLaw& law, const AxisRuns& axis) {
    const std::vector<MissingFigure> missing = missing_figures(axis, &law);
    const std::size_t places = law.places();
    if (missing.empty()) {
        return fmt::format("{} points", places);
    }
    std::vector<std::string> reasons;
    reasons.reserve(missing.size());
    for (const MissingFigure& figure : missing) {
        reasons.push_back(fmt::format("{}: {}", format_count(figure.value), figure.reason));
    }
    return fmt::format(
        "{} of {} points; {}", places, places + missing.size(), fmt::join(reasons, "; ")
    );
}

std::string flag_sentence(const TimeLaw& law) {
    return fmt::format(
        "{}: {}{}: elasticity {} in {}, {} at {} {} and {} at {}{}",
        to_string(law.flag),
        subject_words(law.subject),
        law.subject.kernel.empty()
            ? ""
            : fmt::format(" ({}, {})", op_words(law.subject.op), to_string(law.subject.placement)),
        elasticity_cell(coefficient(law.power, &stats::LineFit::slope)),
        work_words(law.axis),
        shortest_cell(law),
        to_string(law.axis),
        format_count(law.points.front().value),
        longest_cell(law),
        format_count(law.points.back().value),
        weight_words(law)
    );
}

std::string flag_sentence(const ByteLaw& law) {
    return fmt::format(
        "{}: buffer {} ({}): {}, grows with {} while live tokens stay",
        to_string(LawFlag::capacity_bound),
        law.buffer,
        law.group,
        format_bytes(law.most),
        words_of(law.capacity_axes)
    );
}

std::string follows_words(const ByteLaw& law) {
    std::vector<std::string_view> names;
    for (const ByteSource source : law.follows) {
        names.push_back(to_string(source));
    }
    return names.empty() ? "constant" : fmt::format("{}", fmt::join(names, ", "));
}

std::string lines_words(const ByteLaw& law) {
    std::vector<std::string> words;
    for (const ByteLine& line : law.lines) {
        if (!line.moves()) {
            continue;
        }
        words.push_back(
            line.slope ? fmt::format(
                "{}: {:.10g} B + {:.6g} B each", to_string(line.axis), *line.intercept, *line.slope
            )
                       : fmt::format(
                           "{}: no line, elasticity {:.3f}", to_string(line.axis), line.elasticity
                       )
        );
    }
    return fmt::format("{}", fmt::join(words, "; "));
}

} // namespace kvprof::analyzers
