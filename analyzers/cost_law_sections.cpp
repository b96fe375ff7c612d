#include "analyzers/cost_law_sections.h"

#include "analyzers/cost_law_words.h"
#include "analyzers/grouped_lines.h"
#include "capture/model/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// "A: " of one of two sides.
std::string prefix_of(const SideLaws& side) {
    if (!side.side) {
        return {};
    }
    return *side.side == AbSide::a ? "A: " : "B: ";
}

bool is_shown(const TimeLaw& law) {
    return law.most_share() > kLeastShare || law.flag != LawFlag::none;
}

std::string flag_cell(LawFlag flag) {
    return flag == LawFlag::none ? "" : std::string(to_string(flag));
}

std::string share_cell(const TimeLaw& law) {
    constexpr double kPercent = 100.0;
    return law.subject.kernel.empty() ? "" : fmt::format("{:.1f} %", law.most_share() * kPercent);
}

std::vector<Cell> law_cells(const TimeLaw& law) {
    const bool is_kernel = !law.subject.kernel.empty();
    return {
        is_kernel ? Cell::code(law.subject.kernel) : Cell(subject_words(law.subject)),
        is_kernel ? std::string(op_words(law.subject.op)) : std::string(),
        is_kernel ? std::string(to_string(law.subject.placement)) : std::string(),
        fmt::format("{}", law.places()),
        shortest_cell(law),
        longest_cell(law),
        elasticity_cell(coefficient(law.power, &stats::LineFit::slope)),
        share_cell(law),
        flag_cell(law.flag),
        intercept_cell(coefficient(law.line, &stats::LineFit::intercept)),
        slope_cell(coefficient(law.line, &stats::LineFit::slope))};
}

Table time_table(SweepAxis axis) {
    return Table(
        {{"kernel", Align::left, Fit::elided},
         {"op"},
         {"placement"},
         {"points", Align::right},
         {"at the least", Align::right},
         {"at the most", Align::right},
         {"elasticity", Align::right},
         {"share", Align::right},
         {"flag"},
         {"a", Align::right},
         {fmt::format("b, ns a {}", work_unit(axis)), Align::right}}
    );
}

std::size_t places_of(const AxisRuns& axis) {
    std::vector<std::int64_t> values;
    for (const Run* run : axis.runs) {
        values.push_back(field_of(run->step, axis.axis));
    }
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values.size();
}

std::string span_words(const AxisRuns& axis) {
    if (axis.runs.empty()) {
        return fmt::format("{} (no point)", to_string(axis.axis));
    }
    const std::size_t places = places_of(axis);
    const std::int64_t first = field_of(axis.runs.front()->step, axis.axis);
    const std::int64_t last = field_of(axis.runs.back()->step, axis.axis);
    return fmt::format(
        "{} {}{} ({} point{})",
        to_string(axis.axis),
        format_count(first),
        last == first ? "" : " to " + format_count(last),
        places,
        places == 1 ? "" : "s"
    );
}

Section time_section(const SideLaws& side, const AxisRuns& axis) {
    Section section{
        fmt::format("{}time along {}", prefix_of(side), span_words(axis)),
        time_table(axis.axis),
        {}};
    GroupedLines without_law;
    std::size_t left_out = 0;
    for (const TimeLaw& law : side.times) {
        if (law.axis != axis.axis) {
            continue;
        }
        if (!is_shown(law)) {
            ++left_out;
            continue;
        }
        section.table->add(law_cells(law));
        if (!law.line) {
            without_law.add(
                fmt::format(
                    "no law: a line takes {} points, and there are {}",
                    stats::kFewestPlaces,
                    points_words(law, axis)
                ),
                subject_words(law.subject)
            );
        }
    }
    section.lines = without_law.lines();
    if (left_out > 0) {
        section.lines.push_back(fmt::format(
            "{} kernel{} below {:.1f} % of the step at every point left out",
            left_out,
            left_out == 1 ? "" : "s",
            kLeastShare * 100.0
        ));
    }
    return section;
}

Section byte_section(const SideLaws& side) {
    Table table(
        {{"buffer"}, {"group"}, {"at the most", Align::right}, {"follows"}, {"law"}, {"flag"}}
    );
    std::size_t left_out = 0;
    for (const ByteLaw& law : side.bytes) {
        if (law.follows.empty() && law.most < kLeastBoundBytes) {
            ++left_out;
            continue;
        }
        table.add(
            {Cell::code(law.buffer),
             law.group,
             format_bytes(law.most),
             follows_words(law),
             lines_words(law),
             flag_cell(law.is_capacity_bound() ? LawFlag::capacity_bound : LawFlag::none)}
        );
    }
    Section section{prefix_of(side) + "bytes of buffers", std::move(table), {}};
    if (left_out > 0) {
        section.lines.push_back(fmt::format(
            "{} constant buffer{} below {} left out",
            left_out,
            left_out == 1 ? "" : "s",
            format_bytes(kLeastBoundBytes)
        ));
    }
    return section;
}

/// Without the law of a kernel or an op, that nothing was flagged says nothing of them.
std::string without_flags(const SideLaws& side) {
    const bool has_law = std::any_of(side.times.begin(), side.times.end(), [](const TimeLaw& law) {
        return law.line && law.subject.op;
    });
    return has_law ? "no kernel is shape-blind, and no kernel or buffer capacity-bound"
                   : "no kernel has a law that could be flagged, and no buffer is capacity-bound";
}

} // namespace

std::string describe_axes(const SideLaws& side) {
    std::vector<std::string> words;
    std::transform(side.axes.begin(), side.axes.end(), std::back_inserter(words), span_words);
    return words.empty() ? "no axis has two values" : fmt::format("{}", fmt::join(words, ", "));
}

std::string describe_sweep_sides(const AbDesign& design) {
    const auto words = [](const std::string& text) { return text.empty() ? "(as given)" : text; };
    return fmt::format("A: {}; B: {}; both at every point", words(design.a), words(design.b));
}

Section flag_section(const std::vector<SideLaws>& sides) {
    Section section{"flags", std::nullopt, {}};
    for (const SideLaws& side : sides) {
        std::size_t flags = 0;
        const auto add = [&](std::string sentence) {
            section.lines.push_back(prefix_of(side) + std::move(sentence));
            ++flags;
        };
        for (const TimeLaw& law : side.times) {
            if (law.flag == LawFlag::shape_blind || law.flag == LawFlag::capacity_bound) {
                add(flag_sentence(law));
            }
        }
        for (const ByteLaw& law : side.bytes) {
            if (law.is_capacity_bound()) {
                add(flag_sentence(law));
            }
        }
        if (flags == 0) {
            section.lines.push_back(prefix_of(side) + without_flags(side));
        }
    }
    return section;
}

std::vector<Section> law_sections(const std::vector<SideLaws>& sides) {
    std::vector<Section> sections;
    for (const SideLaws& side : sides) {
        for (const AxisRuns& axis : side.axes) {
            sections.push_back(time_section(side, axis));
        }
    }
    std::transform(sides.begin(), sides.end(), std::back_inserter(sections), byte_section);
    return sections;
}

Section missing_points_section(const std::vector<SideLaws>& sides) {
    Table table({{"side"}, {"axis"}, {"value", Align::right}, {"reason"}});
    for (const SideLaws& side : sides) {
        for (const AxisRuns& axis : side.axes) {
            for (const MissingFigure& missing : missing_figures(axis, nullptr)) {
                table.add(
                    {prefix_of(side).substr(0, 1),
                     std::string(to_string(axis.axis)),
                     format_count(missing.value),
                     missing.reason}
                );
            }
        }
    }
    return {"points without a figure", std::move(table), {}};
}

} // namespace kvprof::analyzers
