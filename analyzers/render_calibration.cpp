#include "analyzers/change_words.h"
#include "analyzers/figures.h"
#include "analyzers/json_values.h"
#include "analyzers/markdown_blocks.h"
#include "analyzers/render_json.h"
#include "analyzers/render_markdown.h"
#include "analyzers/render_text.h"
#include "analyzers/spec_diff.h"
#include "analyzers/text_blocks.h"
#include "capture/model/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kvprof::analyzers {

namespace {

/// "batch=8 index-mode=stream": what is not the default.
std::string describe_case(const Calibration& calibration) {
    std::vector<std::string> names;
    const std::vector<Param> params = params_of(calibration.step, calibration.measure);
    for (const SpecChange& change : changes_between(params_of(StepSpec{}, MeasureSpec{}), params)) {
        names.push_back(change.name);
    }
    return names.empty() ? "(as default)" : describe_fields(params, names);
}

std::string describe(const Calibration& calibration) {
    return fmt::format(
        "calibration {} on {}, {}: {}",
        short_id(calibration.experiment),
        calibration.device.empty() ? "an unknown device" : calibration.device,
        calibration.started_at,
        describe_case(calibration)
    );
}

Table noise_table(const Calibration& calibration, bool is_markdown) {
    const std::string runs = calibration.runs_a_side == 0
                                 ? std::string("would have seen")
                                 : fmt::format("{} a side would see", calibration.runs_a_side);
    Table table(
        {{"metric"},
         {"runs", Align::right},
         {"sigma of a run", Align::right},
         {"noise floor", Align::right},
         {"splits", Align::right},
         {runs, Align::right}}
    );
    for (const MetricNoise& noise : calibration.metrics) {
        table.add(
            {is_markdown ? "`" + noise.id + "`" : noise.id,
             fmt::format("{}", noise.runs),
             fmt::format("{:.3f} %", noise.sigma * 100.0),
             fmt::format("{:.3f} %", noise.floor * 100.0),
             format_count(std::int64_t(noise.splits)),
             noise.detectable ? effect_words(*noise.detectable, true, Unit::ratio) : "-"}
        );
    }
    return table;
}

constexpr const char* kMeaning =
    "the floor is what 99 % of all equal splits of these identical runs stay below: no smaller "
    "change counts";

} // namespace

std::string calibration_text(const Calibration& calibration) {
    return describe(calibration) + "\n"
           + section_text({"", noise_table(calibration, false), {kMeaning}})
           + text_block("notes", calibration.notes);
}

std::string calibration_markdown(const Calibration& calibration) {
    return "### Noise between identical runs\n\n" + describe(calibration) + ".\n"
           + section_markdown({"", noise_table(calibration, true), {}}) + "\n" + "Note: " + kMeaning
           + ".\n" + markdown_list("Notes", calibration.notes);
}

std::string calibration_json(const Calibration& calibration) {
    Json json{
        {"schema", "kvprof.calibration/1"},
        {"experiment", calibration.experiment},
        {"started_at", calibration.started_at},
        {"device", calibration.device},
        {"runs_a_side", calibration.runs_a_side},
        {"metrics", Json::array()},
        {"step", fields(calibration.step)},
        {"measure", fields(calibration.measure)},
        {"notes", calibration.notes}};
    for (const MetricNoise& noise : calibration.metrics) {
        json["metrics"].push_back(
            {{"id", noise.id},
             {"runs", noise.runs},
             {"sigma", real(noise.sigma)},
             {"floor", real(noise.floor)},
             {"splits", noise.splits},
             {"detectable", real(noise.detectable)}}
        );
    }
    return document(json);
}

} // namespace kvprof::analyzers
