#include "analyzers/timeline_section.h"

#include "analyzers/as_double.h"
#include "analyzers/change_words.h"
#include "analyzers/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace kvprof::analyzers {

namespace {

using Figure = std::optional<double>;

Figure time_of(const std::optional<std::chrono::nanoseconds>& time) {
    return time ? std::optional(as_double(*time)) : std::nullopt;
}

void add_row(const char* name, Unit unit, const std::vector<Figure>& sides, Table& table) {
    std::vector<Cell> cells{name};
    for (const Figure& figure : sides) {
        cells.emplace_back(figure ? format_value(unit, *figure) : "n/a");
    }
    if (sides.size() == 2) {
        const bool has_both = sides[0] && sides[1];
        cells.emplace_back(has_both ? signed_value(unit, *sides[1] - *sides[0]) : "n/a");
    }
    table.add(std::move(cells));
}

/// "base: step 3 of run 01234567 (step[DECODE bs=32]), of median length among the 4 that were
/// kept".
std::string step_line(const StepTimeline& one) {
    const std::string name = one.step_name.empty() ? "" : fmt::format(" ({})", one.step_name);
    std::string how = fmt::format("of median length among the {} that were kept", one.kept);
    if (one.kept == 1) {
        how = "the only one that was kept";
    } else if (one.is_chosen) {
        how = fmt::format("--step {} of the {} that were kept", one.place, one.kept);
    }
    return fmt::format(
        "{}{}step {} of run {}{}, {}",
        one.side,
        one.side.empty() ? "" : ": ",
        one.step,
        short_id(one.run),
        name,
        how
    );
}

std::vector<std::string> lines_of(const std::vector<StepTimeline>& timelines) {
    std::vector<std::string> lines;
    for (const StepTimeline& one : timelines) {
        lines.push_back(step_line(one));
    }
    lines.emplace_back("wall: from the first record to the last, of the longest rank; kernel time: "
                       "durations added up; gaps: on each GPU, when nothing of the step ran");
    const auto any = [&](const auto& holds) {
        return std::any_of(timelines.begin(), timelines.end(), holds);
    };
    if (any([](const StepTimeline& one) { return one.has_own_clocks; })) {
        lines.emplace_back("ranks of several files share no clock: each begins where its first "
                           "kept record does");
    }
    if (any([](const StepTimeline& one) { return !one.gaps; })) {
        lines.emplace_back("gaps n/a: a recording has whole replays without their kernels, which "
                           "are not drawn");
    }
    return lines;
}

} // namespace

Section timeline_section(const std::vector<StepTimeline>& timelines) {
    if (timelines.empty()) {
        return {};
    }
    std::vector<Column> columns{{"step"}};
    std::vector<Figure> walls;
    std::vector<Figure> times;
    std::vector<Figure> gaps;
    std::vector<Figure> kernels;
    for (const StepTimeline& one : timelines) {
        columns.push_back({one.side.empty() ? "value" : one.side, Align::right});
        walls.push_back(time_of(one.wall));
        times.push_back(time_of(one.kernel_time));
        gaps.push_back(time_of(one.gaps));
        kernels.emplace_back(as_double(one.kernels));
    }
    if (timelines.size() == 2) {
        columns.push_back({"difference", Align::right});
    }
    Table table(std::move(columns));
    add_row("wall", Unit::nanoseconds, walls, table);
    add_row("kernel time", Unit::nanoseconds, times, table);
    add_row("gaps", Unit::nanoseconds, gaps, table);
    add_row("kernels", Unit::count, kernels, table);
    return {"figures of the step", std::move(table), lines_of(timelines)};
}

} // namespace kvprof::analyzers
