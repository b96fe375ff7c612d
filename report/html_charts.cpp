#include "report/html_charts.h"

#include "analyzers/json_values.h"

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace kvprof::report {

namespace {

using analyzers::Json;
using analyzers::number;

Json low_of(const std::optional<analyzers::Interval>& interval) {
    return interval ? number(interval->low) : Json();
}

Json high_of(const std::optional<analyzers::Interval>& interval) {
    return interval ? number(interval->high) : Json();
}

Json json_of(const IntervalChart& chart) {
    Json rows = Json::array();
    for (const IntervalChart::Row& row : chart.rows) {
        rows.push_back(
            {{"label", row.label},
             {"words", row.words},
             {"verdict", verdict_class(to_string(row.verdict))},
             {"change", number(row.change)},
             {"low", low_of(row.interval)},
             {"high", high_of(row.interval)},
             {"limit", number(row.limit)},
             {"primary", row.is_primary}}
        );
    }
    return {{"kind", "intervals"}, {"rows", std::move(rows)}};
}

Json json_of(const OrderChart& chart) {
    Json series = Json::array();
    for (const OrderChart::Series& each : chart.series) {
        Json points = Json::array();
        for (const OrderChart::Point& point : each.points) {
            points.push_back(
                {{"x", point.order},
                 {"y", number(point.value)},
                 {"words", point.words},
                 {"odd", point.is_odd}}
            );
        }
        series.push_back(
            {{"name", each.name}, {"median", number(each.median)}, {"points", std::move(points)}}
        );
    }
    return {
        {"kind", "order"},
        {"unit", to_string(chart.unit)},
        {"counted", chart.counted},
        {"series", std::move(series)}};
}

Json json_of(const WaterfallChart& chart) {
    Json bars = Json::array();
    for (const WaterfallChart::Bar& bar : chart.bars) {
        bars.push_back(
            {{"label", bar.label},
             {"words", bar.words},
             {"from", number(bar.from)},
             {"to", number(bar.to)},
             {"low", low_of(bar.interval)},
             {"high", high_of(bar.interval)},
             {"total", bar.is_total}}
        );
    }
    return {{"kind", "waterfall"}, {"change", chart.is_change}, {"bars", std::move(bars)}};
}

Json json_of(const PairChart& chart) {
    Json rows = Json::array();
    for (const PairChart::Row& row : chart.rows) {
        rows.push_back(
            {{"label", row.label},
             {"words", row.words},
             {"base", number(row.base)},
             {"candidate", number(row.candidate)}}
        );
    }
    return {
        {"kind", "pairs"},
        {"unit", to_string(chart.unit)},
        {"sides", chart.sides},
        {"rows", std::move(rows)}};
}

Json json_of(const StripChart& chart) {
    Json rows = Json::array();
    for (const StripChart::Row& row : chart.rows) {
        Json values = Json::array();
        for (const double value : row.values) {
            values.push_back(number(value));
        }
        rows.push_back(
            {{"label", row.label},
             {"words", row.words},
             {"median", number(row.median)},
             {"values", std::move(values)}}
        );
    }
    return {{"kind", "strip"}, {"unit", to_string(chart.unit)}, {"rows", std::move(rows)}};
}

Json json_of(const LawChart& chart) {
    Json series = Json::array();
    for (const LawChart::Series& each : chart.series) {
        Json points = Json::array();
        for (const LawChart::Point& point : each.points) {
            points.push_back(
                {{"x", number(point.work)}, {"y", number(point.time_ns)}, {"words", point.words}}
            );
        }
        series.push_back(
            {{"name", each.name}, {"candidate", each.is_candidate}, {"points", std::move(points)}}
        );
    }
    return {{"kind", "laws"}, {"work", chart.work}, {"series", std::move(series)}};
}

/// One mark of a chart's key: its shape is drawn by the style sheet.
struct KeyMark {
    std::string shape;
    std::string words;
};

std::vector<KeyMark> key_of(const IntervalChart& chart) {
    std::vector<KeyMark> key;
    for (const auto& [verdict, name] : EnumNames<analyzers::Verdict>::values) {
        for (const IntervalChart::Row& row : chart.rows) {
            if (row.verdict == verdict) {
                key.push_back({verdict_class(name), std::string(name)});
                break;
            }
        }
    }
    key.push_back({"limit", "within the limit"});
    return key;
}

std::vector<KeyMark> key_of(const OrderChart& chart) {
    std::vector<KeyMark> key{{"base", chart.series.front().name}};
    if (chart.series.size() > 1) {
        key.push_back({"candidate", chart.series.back().name});
    }
    key.push_back({"median", "median"});
    return key;
}

std::vector<KeyMark> key_of(const WaterfallChart& chart) {
    if (chart.is_change) {
        return {{"less", "less time"}, {"more", "more time"}, {"total", "sum"}};
    }
    return {{"more", "part"}, {"less", "time counted twice"}, {"total", "sum"}};
}

std::vector<KeyMark> key_of(const PairChart& chart) {
    return chart.sides.size() > 1
               ? std::vector<KeyMark>{{"base", chart.sides[0]}, {"candidate", chart.sides[1]}}
               : std::vector<KeyMark>{};
}

std::vector<KeyMark> key_of(const StripChart&) {
    return {{"base", "a run"}, {"tick", "median"}};
}

std::vector<KeyMark> key_of(const LawChart& chart) {
    return chart.sides.size() > 1
               ? std::vector<KeyMark>{{"base", chart.sides[0]}, {"candidate", chart.sides[1]}}
               : std::vector<KeyMark>{};
}

void add_key(Html& html, const Chart& chart) {
    const std::vector<KeyMark> key =
        std::visit([](const auto& data) { return key_of(data); }, chart.data);
    if (key.empty()) {
        return;
    }
    html.open("p", {{"class", "key"}, {"aria-hidden", "true"}});
    for (const KeyMark& mark : key) {
        html.open("span").element("i", "", {{"class", mark.shape}}).text(mark.words).close();
    }
    html.close();
}

void add_figure(Html& html, const Chart& chart, std::string_view heading, std::size_t number) {
    const std::string id = "chart-" + std::to_string(number);
    html.open("figure", {{"class", "chart"}}).open("figcaption");
    html.element(heading, chart.title).element("p", chart.summary).close();
    html.open("div", {{"class", "plot"}});
    add_key(html, chart);
    html.open("div", {{"class", "canvas"}});
    html.element(
        "canvas",
        "",
        {{"id", id},
         {"role", "img"},
         {"tabindex", "0"},
         {"aria-label", chart.title + ". " + chart.summary + " The table below has the figures."}}
    );
    html.close().close();
    html.open("details", {{"open", ""}}).element("summary", "Figures of this chart");
    add_table(html, chart.table, chart.title);
    html.close().close();
}

} // namespace

void add_charts(Html& html, const std::vector<ChartGroup>& groups) {
    std::size_t number = 0;
    for (const ChartGroup& group : groups) {
        html.open("section");
        if (!group.title.empty()) {
            html.element("h3", group.title, {{"class", "case"}});
        }
        for (const Chart& chart : group.charts) {
            add_figure(html, chart, group.title.empty() ? "h3" : "h4", number++);
        }
        html.close();
    }
}

std::string chart_json(const std::vector<ChartGroup>& groups) {
    Json charts = Json::array();
    for (const ChartGroup& group : groups) {
        for (const Chart& chart : group.charts) {
            charts.push_back(std::visit([](const auto& data) { return json_of(data); }, chart.data)
            );
        }
    }
    return charts.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace kvprof::report
