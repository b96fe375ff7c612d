#include "analyzers/tuning_sections.h"

#include "capture/model/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

namespace kvprof::analyzers {

namespace {

std::string lanes_of(const StepSpec& step) {
    if (step.length_law == LengthLaw::one_long) {
        return fmt::format(
            "{} x {} + 1 x {}",
            step.batch - 1,
            format_count(step.seq_len),
            format_count(step.long_len)
        );
    }
    return fmt::format("{} x {}", step.batch, format_count(step.seq_len));
}

std::string percent(std::optional<double> share) {
    return share ? fmt::format("{:+.1f} %", *share * 100.0) : "-";
}

std::string time_cell(const std::optional<ChoiceTime>& time) {
    return time ? format_duration_ns(time->ns) : "-";
}

std::string name_at(const Tuning& tuning, std::size_t choice) {
    return choice_name(tuning.choices[choice]);
}

/// "3, the shipped one among them"
std::string ties_cell(const Tuning& tuning, const std::vector<std::size_t>& ties) {
    if (ties.empty()) {
        return "none";
    }
    const bool has_shipped =
        tuning.shipped && std::find(ties.begin(), ties.end(), *tuning.shipped) != ties.end();
    return fmt::format("{}{}", ties.size(), has_shipped ? ", the shipped one among them" : "");
}

std::size_t timed_shapes(const Tuning& tuning) {
    return static_cast<std::size_t>(std::count_if(
        tuning.shapes.begin(),
        tuning.shapes.end(),
        [](const TunedShape& shape) { return shape.best.has_value(); }
    ));
}

Section best_section(const Tuning& tuning) {
    Table table(
        {{"lanes"},
         {"ids"},
         {"best choice"},
         {"time", Align::right},
         {"shipped", Align::right},
         {"shipped vs best", Align::right},
         {"ties with the best"}}
    );
    for (const TunedShape& shape : tuning.shapes) {
        if (!shape.best) {
            continue;
        }
        const bool has_shipped = tuning.shipped && shape.times[*tuning.shipped];
        table.add(
            {lanes_of(shape.step),
             std::string(to_string(shape.step.fragmentation)),
             name_at(tuning, *shape.best),
             time_cell(shape.times[*shape.best]),
             has_shipped ? time_cell(shape.times[*tuning.shipped]) : "-",
             percent(has_shipped ? shape.regret(*tuning.shipped) : std::nullopt),
             ties_cell(tuning, shape.ties)}
        );
    }
    return {"best at each shape", std::move(table), {}};
}

/// "shipped: at most 9.1 % over the best of a shape; noise does not tell it from this choice"
std::string shipped_line(const Tuning& tuning) {
    const auto regret =
        tuning.shipped ? tuning.largest_regret(*tuning.shipped) : std::optional<double>();
    if (!regret) {
        return "shipped: not timed at every shape";
    }
    const std::vector<std::size_t>& ties = tuning.joint->ties;
    const bool is_tie = std::find(ties.begin(), ties.end(), *tuning.shipped) != ties.end();
    return fmt::format(
        "shipped: at most {:.1f} % over the best of a shape{}",
        *regret * 100.0,
        is_tie ? "; noise does not tell it from this choice" : ""
    );
}

Section joint_section(const Tuning& tuning) {
    const std::string title = "best for all shapes";
    if (!tuning.joint) {
        return {
            title,
            std::nullopt,
            {timed_shapes(tuning) == 0 ? "no choice has a time"
                                       : "no choice has a time at every shape"}};
    }
    const JointChoice& joint = *tuning.joint;
    Table table(
        {{"lanes"},
         {"ids"},
         {"time", Align::right},
         {"regret", Align::right},
         {"regret of shipped", Align::right}}
    );
    for (const TunedShape& shape : tuning.shapes) {
        if (shape.best) {
            table.add(
                {lanes_of(shape.step),
                 std::string(to_string(shape.step.fragmentation)),
                 time_cell(shape.times[joint.choice]),
                 percent(shape.regret(joint.choice)),
                 percent(tuning.shipped ? shape.regret(*tuning.shipped) : std::nullopt)}
            );
        }
    }
    std::vector<std::string> lines{fmt::format(
        "{}: at most {:.1f} % over the best of a shape",
        name_at(tuning, joint.choice),
        joint.largest_regret * 100.0
    )};
    if (joint.choice != tuning.shipped) {
        lines.push_back(shipped_line(tuning));
    }
    lines.push_back(fmt::format("ties with it: {}", ties_cell(tuning, joint.ties)));
    return {title, std::move(table), std::move(lines)};
}

Section untimed_section(const Tuning& tuning) {
    Table table({{"lanes"}, {"ids"}, {"choices", Align::right}, {"state"}, {"reason"}});
    for (const TunedShape& shape : tuning.shapes) {
        std::map<std::pair<RunState, std::string>, std::size_t> counts;
        for (const UntimedChoice& one : shape.untimed) {
            ++counts[{one.state, one.reason}];
        }
        for (const auto& [why, count] : counts) {
            table.add(
                {lanes_of(shape.step),
                 std::string(to_string(shape.step.fragmentation)),
                 fmt::format("{}", count),
                 std::string(to_string(why.first)),
                 why.second}
            );
        }
    }
    return {"without a time", std::move(table), {}};
}

} // namespace

std::string choice_name(const LaunchChoice& choice) {
    if (choice.is_shipped()) {
        return "shipped";
    }
    std::vector<std::string> words;
    if (choice.split != IndexSplit::automatic) {
        words.emplace_back(to_string(choice.split));
    }
    const std::array<std::pair<std::int64_t, const char*>, 3> kNumbers{{
        {choice.threads, "threads"},
        {choice.items, "items"},
        {choice.blocks, "blocks"},
    }};
    for (const auto& [count, noun] : kNumbers) {
        if (count != 0) {
            words.push_back(fmt::format("{} {}", format_count(count), noun));
        }
    }
    if (choice.edges != LaunchEdges::automatic) {
        words.push_back(fmt::format("{} edges", to_string(choice.edges)));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

std::string describe_tuning(const Tuning& tuning) {
    return fmt::format(
        "{}: {} choices at {} shape{}; a time is of one launch, in a graph of them",
        tuning.op,
        tuning.choices.size(),
        tuning.shapes.size(),
        tuning.shapes.size() == 1 ? "" : "s"
    );
}

std::vector<Section> tuning_sections(const Tuning& tuning) {
    std::vector<Section> sections{
        best_section(tuning), joint_section(tuning), untimed_section(tuning)};
    std::erase_if(sections, [](const Section& section) { return section.empty(); });
    return sections;
}

Section tuning_choices(const Tuning& tuning) {
    std::vector<Column> columns{{"choice"}};
    for (const TunedShape& shape : tuning.shapes) {
        columns.push_back(
            {fmt::format("{} {}", lanes_of(shape.step), to_string(shape.step.fragmentation)),
             Align::right}
        );
    }
    columns.push_back({"largest regret", Align::right});
    std::vector<std::size_t> order(tuning.choices.size());
    std::iota(order.begin(), order.end(), 0);
    const auto rank = [&](std::size_t choice) {
        const auto regret = tuning.largest_regret(choice);
        return std::pair(!regret.has_value(), regret.value_or(0.0));
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return rank(a) < rank(b);
    });
    Table table(columns);
    for (const std::size_t choice : order) {
        std::vector<Cell> cells{name_at(tuning, choice)};
        for (const TunedShape& shape : tuning.shapes) {
            cells.emplace_back(time_cell(shape.times[choice]));
        }
        cells.emplace_back(percent(tuning.largest_regret(choice)));
        table.add(std::move(cells));
    }
    return {"every choice", std::move(table), {}};
}

} // namespace kvprof::analyzers
