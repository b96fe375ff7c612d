// Charts of a sweep: times against the work of the step.

#include "analyzers/cost_law_words.h"
#include "analyzers/cost_laws.h"
#include "capture/model/units.h"
#include "report/charts.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

namespace kvprof::report {

namespace {

using analyzers::Align;
using analyzers::SideLaws;
using analyzers::TimeLaw;

/// Lines of one side that can be told apart.
constexpr std::size_t kMostLines = 8;

bool is_of_b(const SideLaws& side) {
    return side.side == AbSide::b;
}

std::string_view side_name(const SideLaws& side) {
    if (!side.side) {
        return "";
    }
    return is_of_b(side) ? "B" : "A";
}

LawChart::Series series_of(const SideLaws& side, const TimeLaw& law) {
    const std::string_view letter = side_name(side);
    LawChart::Series series{
        .name = fmt::format(
            "{}{}{}", letter, letter.empty() ? "" : ": ", analyzers::subject_words(law.subject)
        ),
        .is_candidate = is_of_b(side),
        .points = {}};
    for (const analyzers::LawPoint& point : law.points) {
        if (point.work > 0.0 && point.time_ns > 0.0) {
            series.points.push_back(
                {point.work,
                 point.time_ns,
                 fmt::format(
                     "{} at {} {}",
                     format_duration_ns(point.time_ns),
                     to_string(law.axis),
                     format_count(point.value)
                 )}
            );
        }
    }
    return series;
}

void add_rows(analyzers::Table& table, const SideLaws& side, const TimeLaw& law) {
    for (const analyzers::LawPoint& point : law.points) {
        table.add(
            {std::string(side_name(side)),
             analyzers::Cell::code(analyzers::subject_words(law.subject)),
             format_count(point.value),
             format_count(static_cast<std::int64_t>(point.work)),
             format_duration_ns(point.time_ns)}
        );
    }
}

bool is_drawn(const TimeLaw& law, SweepAxis axis) {
    return law.axis == axis && law.most_share() > analyzers::kLeastShare && law.places() > 1;
}

std::optional<Chart> law_chart(SweepAxis axis, const std::vector<SideLaws>& sides) {
    LawChart data{.work = analyzers::work_words(axis), .sides = {}, .series = {}};
    analyzers::Table table(
        {{"side"},
         {"kernel", Align::left, analyzers::Fit::elided},
         {std::string(to_string(axis)), Align::right},
         {data.work, Align::right},
         {"time a step", Align::right}}
    );
    for (const SideLaws& side : sides) {
        data.sides.emplace_back(side_name(side));
        std::size_t lines = 0;
        for (const TimeLaw& law : side.times) {
            if (!is_drawn(law, axis)) {
                continue;
            }
            if (LawChart::Series series = series_of(side, law);
                lines < kMostLines && !series.points.empty()) {
                data.series.push_back(std::move(series));
                ++lines;
            }
            add_rows(table, side, law);
        }
    }
    if (data.series.empty()) {
        return std::nullopt;
    }
    std::string summary = fmt::format(
        "What was timed, and the kernels that take most of the step, against {}; both scales are "
        "logarithmic, so that a slope is an elasticity: level lines do not follow.",
        moves_live_tokens(axis) ? "the live tokens of the step" : data.work
    );
    return Chart{
        fmt::format("Time along {}", to_string(axis)),
        std::move(summary),
        std::move(data),
        std::move(table)};
}

} // namespace

std::vector<Chart> law_charts(const Experiment& experiment) {
    const std::vector<SideLaws> sides = analyzers::cost_laws(experiment.runs);
    std::vector<Chart> charts;
    for (const auto& [axis, name] : EnumNames<SweepAxis>::values) {
        if (std::optional<Chart> chart = law_chart(axis, sides)) {
            charts.push_back(std::move(*chart));
        }
    }
    return charts;
}

} // namespace kvprof::report
