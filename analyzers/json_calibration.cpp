#include "analyzers/json_values.h"
#include "analyzers/render_json.h"

namespace kvprof::analyzers {

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
