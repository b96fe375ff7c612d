#pragma once

#include "report/charts.h"
#include "report/html_text.h"

#include <string>
#include <vector>

namespace kvprof::report {

/// The figures of all groups: a canvas each for a script to draw on, and the data as a table, which
/// stays where no script runs. Canvas i is "chart-i" of chart_json()'s list.
void add_charts(Html& html, const std::vector<ChartGroup>& groups);

/// What the page's script draws: one object a chart, in the order of the figures.
[[nodiscard]] std::string chart_json(const std::vector<ChartGroup>& groups);

} // namespace kvprof::report
