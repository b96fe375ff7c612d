#include "analyzers/comparison_sections.h"

#include "analyzers/change_words.h"
#include "analyzers/figures.h"
#include "analyzers/grouped_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace kvprof::analyzers {

namespace {

Section rows_section(
    std::string title, const Comparison& comparison, const std::vector<const Delta*>& rows
) {
    Table table(delta_columns(interval_title(comparison)));
    for (const Delta* row : rows) {
        table.add(delta_cells(*row));
    }
    return {std::move(title), std::move(table), {}};
}

/// The unit that all values of a row are told in, and a value in it without its name.
struct ValueFormat {
    double scale = 1.0;
    int decimals = 0;
    const char* name = "";
};

/// Six digits of the greatest value, a thousandth at most: a run's figure as it is compared.
ValueFormat time_format(double most) {
    constexpr double kNsPerUs = 1e3;
    constexpr int kDigits = 6;
    constexpr int kMostDecimals = 3;
    const double us = most / kNsPerUs;
    const int in_front = us < 1.0 ? 1 : static_cast<int>(std::floor(std::log10(us))) + 1;
    return {kNsPerUs, std::clamp(kDigits - in_front, 0, kMostDecimals), " us"};
}

std::vector<std::string> value_words(const Delta& row, const SideValues& side) {
    const ValueFormat times =
        time_format(std::max(row.base.summary->max, row.candidate.summary->max));
    std::vector<std::string> words;
    for (std::size_t i = 0; i < side.values.size(); ++i) {
        std::string word =
            row.metric->unit == Unit::nanoseconds
                ? fmt::format("{:.{}f}", side.values[i] / times.scale, times.decimals)
                : format_value(row.metric->unit, side.values[i]);
        const bool is_odd =
            std::find(side.outliers.begin(), side.outliers.end(), i) != side.outliers.end();
        words.push_back(word + (is_odd ? "!" : ""));
    }
    if (row.metric->unit == Unit::nanoseconds && !words.empty()) {
        words.back() += times.name;
    }
    return words;
}

/// Words joined by blanks, broken into lines of at most `width` characters. @pre no word is empty
std::vector<std::string> wrapped(const std::vector<std::string>& words, std::size_t width) {
    std::vector<std::string> lines;
    for (const std::string& word : words) {
        if (lines.empty() || lines.back().size() + 1 + word.size() > width) {
            lines.push_back(word);
        } else {
            lines.back() += " " + word;
        }
    }
    return lines;
}

bool has_values(const Delta& row) {
    return row.metric->kind == MetricKind::sampled && row.metric->better != Direction::neither
           && row.base.summary && row.candidate.summary;
}

std::string family_words(const Delta& row) {
    const std::size_t tests = row.test->tests;
    return fmt::format("{} {}", row.is_primary ? "Holm" : "Benjamini-Hochberg", tests);
}

} // namespace

std::string interval_title(const Comparison& comparison) {
    const double percent = std::round(comparison.interval_level * 1e3) / 1e1;
    return fmt::format("change, {:g} % interval", percent);
}

std::vector<Column> delta_columns(std::string change) {
    return {
        {"metric"},
        {"base", Align::right},
        {"candidate", Align::right},
        {std::move(change), Align::right},
        {"verdict"},
        {"n"},
        {"would have seen", Align::right},
        {"evidence"}};
}

std::vector<Cell> delta_cells(const Delta& row) {
    return {
        Cell::code(row.id),
        side_cell(row.base, *row.metric),
        side_cell(row.candidate, *row.metric),
        change_cell(row),
        verdict_cell(row),
        runs_cell(row),
        detectable_cell(row),
        evidence_cell(row)};
}

Section primary_section(const Comparison& comparison) {
    return rows_section("", comparison, shown_rows(comparison).primary);
}

Section judged_section(const Comparison& comparison) {
    return rows_section("other judged rows", comparison, shown_rows(comparison).judged);
}

Section explaining_section(const Comparison& comparison) {
    const ShownRows rows = shown_rows(comparison);
    Table table(
        {{"metric"},
         {"base", Align::right},
         {"candidate", Align::right},
         {"change", Align::right},
         {"n"},
         {"evidence"}}
    );
    for (const Delta* row : rows.explaining) {
        table.add(
            {Cell::code(row->id),
             side_cell(row->base, *row->metric),
             side_cell(row->candidate, *row->metric),
             change_cell(*row),
             runs_cell(*row),
             evidence_cell(*row)}
        );
    }
    Section section{"explains (not judged)", std::move(table), {}};
    if (rows.left_out > 0) {
        section.lines.push_back(
            fmt::format("{} rows that would explain are equal: see --format json", rows.left_out)
        );
    }
    return section;
}

Section values_section(const Comparison& comparison) {
    constexpr std::size_t kWidth = 110; // beside the longest metric and the side
    Table table({{"metric"}, {"side"}, {"values"}});
    bool is_any_odd = false;
    for (const Delta& row : comparison.deltas) {
        if (!has_values(row)) {
            continue;
        }
        std::string id = row.id;
        for (const auto& [name, side] :
             {std::pair{"base", &row.base}, std::pair{"candidate", &row.candidate}}) {
            is_any_odd = is_any_odd || !side->outliers.empty();
            std::string label = name;
            for (const std::string& line : wrapped(value_words(row, *side), kWidth)) {
                table.add({Cell::code(std::exchange(id, "")), std::exchange(label, ""), line});
            }
        }
    }
    Section section{"values, one a run (the median of its samples)", std::move(table), {}};
    if (is_any_odd) {
        section.lines.emplace_back("! looks odd (modified z over 3.5); flagged, never dropped");
    }
    return section;
}

Section method_section(const Comparison& comparison) {
    Table table(
        {{"metric"},
         {"test"},
         {"p", Align::right},
         {"adjusted", Align::right},
         {"for tests"},
         {"interval at", Align::right},
         {"deviation of a run", Align::right}}
    );
    for (const Delta& row : comparison.deltas) {
        if (!row.test || !row.verdict) {
            continue;
        }
        const SampledTest& test = *row.test;
        table.add(
            {Cell::code(row.id),
             std::string(to_string(test.method)),
             p_words(test.p),
             p_words(test.p_adjusted),
             family_words(row),
             has_interval(test) ? fmt::format("{:.1f} %", test.level * 100.0) : "-",
             effect_words(test.deviation, test.is_ratio, row.metric->unit)}
        );
    }
    return {"method: Hodges-Lehmann, interval from the exact rank test", std::move(table), {}};
}

std::vector<std::string> row_remarks(const Comparison& comparison) {
    GroupedLines remarks;
    for (const Delta& row : comparison.deltas) {
        for (const std::string& remark : row.remarks) {
            // What the evidence of a row says is not said again.
            if (!is_about_few_runs(remark) && !remark.starts_with("detectable")) {
                remarks.add(remark, row.id);
            }
        }
        if (row.cycles) {
            const std::string change = change_words(row.cycles->test, row.metric->unit);
            remarks.add(
                fmt::format(
                    "in cycles {}, SM clock {:.0f} -> {:.0f} MHz",
                    change,
                    row.cycles->base_mhz,
                    row.cycles->candidate_mhz
                ),
                row.id
            );
        }
    }
    return remarks.lines();
}

std::vector<std::string> concern_lines(const std::vector<Concern>& concerns) {
    std::vector<std::string> lines;
    for (const Concern& concern : concerns) {
        lines.push_back(fmt::format("{}: {}", to_string(concern.severity), concern.text));
    }
    return lines;
}

} // namespace kvprof::analyzers
