// How the cost laws of two sides differ.

#include "analyzers/cost_law_sections.h"
#include "analyzers/cost_law_words.h"
#include "capture/model/units.h"

#include <fmt/format.h>

#include <utility>

namespace kvprof::analyzers {

namespace {

bool is_flag(LawFlag flag) {
    return flag == LawFlag::shape_blind || flag == LawFlag::capacity_bound;
}

/// "shape-blind went", "capacity-bound came"; a flag of both sides by its name alone.
std::string flag_change(LawFlag a, LawFlag b) {
    if (a == b) {
        return is_flag(a) ? std::string(to_string(a)) : std::string();
    }
    std::string words = is_flag(a) ? fmt::format("{} went", to_string(a)) : std::string();
    if (is_flag(b)) {
        words += fmt::format("{}{} came", words.empty() ? "" : ", ", to_string(b));
    }
    return words;
}

LawFlag flag_of(const TimeLaw* law) {
    return law == nullptr ? LawFlag::none : law->flag;
}

LawFlag flag_of(const ByteLaw* law) {
    return law != nullptr && law->is_capacity_bound() ? LawFlag::capacity_bound : LawFlag::none;
}

bool is_shown(const TimeLawChange& change) {
    const auto weighs = [](const TimeLaw* law) {
        return law != nullptr && (law->most_share() > kLeastShare || is_flag(law->flag));
    };
    return weighs(change.a) || weighs(change.b);
}

/// "158.5 us .. 160.2 us", from the least value of the axis to the greatest.
std::string times_cell(const TimeLaw* law) {
    return law == nullptr ? "-" : shortest_cell(*law) + " .. " + longest_cell(*law);
}

/// "0.0022 -> 0.7511".
std::string elasticities_cell(const TimeLawChange& change) {
    const auto words = [](const TimeLaw* law) {
        return law == nullptr || !law->power ? std::string("-")
                                             : fmt::format("{:.4f}", law->power->slope.value);
    };
    return words(change.a) + " -> " + words(change.b);
}

std::string change_words(const TimeLawChange& change) {
    if (change.a == nullptr) {
        return "new";
    }
    return change.b == nullptr ? "gone" : "";
}

const TimeLaw& any_of(const TimeLawChange& change) {
    return change.a != nullptr ? *change.a : *change.b;
}

std::vector<Cell> time_cells(const TimeLawChange& change) {
    const LawSubject& subject = any_of(change).subject;
    const bool is_kernel = !subject.kernel.empty();
    const std::string alone = change_words(change);
    return {
        is_kernel ? Cell::code(subject.kernel) : Cell(subject_words(subject)),
        is_kernel ? std::string(op_words(subject.op)) : std::string(),
        times_cell(change.a),
        times_cell(change.b),
        elasticities_cell(change),
        alone.empty() ? elasticity_cell(change.elasticity) : alone,
        flag_change(flag_of(change.a), flag_of(change.b)),
        alone.empty() ? intercept_cell(change.intercept) : alone,
        alone.empty() ? slope_cell(change.slope) : alone};
}

Section time_section(SweepAxis axis, const std::vector<TimeLawChange>& changes) {
    Table table(
        {{"kernel", Align::left, Fit::elided},
         {"op"},
         {"A", Align::right},
         {"B", Align::right},
         {"elasticity", Align::right},
         {"its change", Align::right},
         {"flag"},
         {"change of a", Align::right},
         {fmt::format("of b, ns a {}", work_unit(axis)), Align::right}}
    );
    for (const TimeLawChange& change : changes) {
        if (any_of(change).axis == axis && is_shown(change)) {
            table.add(time_cells(change));
        }
    }
    return {fmt::format("B - A, time along {}", to_string(axis)), std::move(table), {}};
}

bool is_alike(const ByteLawChange& change) {
    return change.a != nullptr && change.b != nullptr && change.a->most == change.b->most
           && change.a->follows == change.b->follows
           && lines_words(*change.a) == lines_words(*change.b);
}

Section byte_section(const std::vector<ByteLawChange>& changes) {
    Table table(
        {{"buffer"},
         {"A, at the most", Align::right},
         {"B", Align::right},
         {"A follows"},
         {"B follows"},
         {"law of A"},
         {"law of B"},
         {"flag"}}
    );
    std::size_t alike = 0;
    for (const ByteLawChange& change : changes) {
        if (is_alike(change)) {
            ++alike;
            continue;
        }
        const auto cell = [](const ByteLaw* law, std::string (*words)(const ByteLaw&)) {
            return law == nullptr ? std::string("-") : words(*law);
        };
        const auto size = [](const ByteLaw& law) { return format_bytes(law.most); };
        table.add(
            {Cell::code(change.a != nullptr ? change.a->buffer : change.b->buffer),
             cell(change.a, size),
             cell(change.b, size),
             cell(change.a, follows_words),
             cell(change.b, follows_words),
             cell(change.a, lines_words),
             cell(change.b, lines_words),
             flag_change(flag_of(change.a), flag_of(change.b))}
        );
    }
    std::vector<std::string> lines;
    if (alike > 0) {
        lines.push_back(fmt::format("{} buffers are alike on both sides", alike));
    }
    return {"A and B, bytes of buffers", std::move(table), std::move(lines)};
}

} // namespace

std::vector<Section> law_change_sections(const std::vector<SideLaws>& sides) {
    if (sides.size() != 2) {
        return {};
    }
    const std::vector<TimeLawChange> changes = time_law_changes(sides[0], sides[1]);
    std::vector<Section> sections;
    sections.reserve(EnumNames<SweepAxis>::values.size() + 1);
    for (const auto& [axis, name] : EnumNames<SweepAxis>::values) {
        sections.push_back(time_section(axis, changes));
    }
    sections.push_back(byte_section(byte_law_changes(sides[0], sides[1])));
    return sections;
}

} // namespace kvprof::analyzers
