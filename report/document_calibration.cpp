#include "analyzers/change_words.h"
#include "analyzers/figures.h"
#include "analyzers/spec_diff.h"
#include "capture/model/units.h"
#include "report/document.h"

#include <fmt/format.h>

namespace kvprof::report {

namespace {

using analyzers::Align;
using analyzers::Calibration;

/// "batch=8 index-mode=stream": what is not the default.
std::string describe_case(const Calibration& calibration) {
    std::vector<std::string> names;
    const std::vector<Param> params = analyzers::params_of(calibration.step, calibration.measure);
    const std::vector<Param> defaults = analyzers::params_of(StepSpec{}, MeasureSpec{});
    for (const analyzers::SpecChange& change : analyzers::changes_between(defaults, params)) {
        names.push_back(change.name);
    }
    return names.empty() ? "(as default)" : analyzers::describe_fields(params, names);
}

analyzers::Table noise_table(const Calibration& calibration) {
    const std::string runs = calibration.runs_a_side == 0
                                 ? std::string("would have seen")
                                 : fmt::format("{} a side would see", calibration.runs_a_side);
    analyzers::Table table(
        {{"metric"},
         {"runs", Align::right},
         {"sigma of a run", Align::right},
         {"noise floor", Align::right},
         {"splits", Align::right},
         {runs, Align::right}}
    );
    for (const analyzers::MetricNoise& noise : calibration.metrics) {
        table.add(
            {analyzers::Cell::code(noise.id),
             fmt::format("{}", noise.runs),
             fmt::format("{:.3f} %", noise.sigma * 100.0),
             fmt::format("{:.3f} %", noise.floor * 100.0),
             format_count(std::int64_t(noise.splits)),
             noise.detectable
                 ? analyzers::effect_words(*noise.detectable, true, analyzers::Unit::ratio)
                 : "-"}
        );
    }
    return table;
}

} // namespace

Document document_of(const Calibration& calibration) {
    Document document;
    document.title = fmt::format(
        "calibration {} on {}, {}: {}",
        analyzers::short_id(calibration.experiment),
        calibration.device.empty() ? "an unknown device" : calibration.device,
        calibration.started_at,
        describe_case(calibration)
    );
    const std::string meaning =
        "the floor is what 99 % of all equal splits of these identical runs stay below: no smaller "
        "change counts";
    document.parts.push_back(
        {"",
         Weight::body,
         {{"", noise_table(calibration), {meaning}}, {"notes", std::nullopt, calibration.notes}}}
    );
    return document;
}

} // namespace kvprof::report
