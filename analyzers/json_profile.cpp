#include "analyzers/json_profile.h"

namespace kvprof::analyzers {

namespace {

Json rank_object(const ProfileRank& rank) {
    Json figures = Json::object();
    for (const ProfileFigure& figure : rank.figures) {
        figures[figure.name] = figure.value;
    }
    Json steps = Json::array();
    for (const ProfileStep& step : rank.steps) {
        steps.push_back(step_object(step));
    }
    return {
        {"rank", rank.rank},
        {"file", rank.file},
        {"gpu", rank.gpu},
        {"figures", std::move(figures)},
        {"steps", std::move(steps)}};
}

} // namespace

Json step_object(const ProfileStep& step) {
    return {
        {"name", step.name},
        {"start_ns", step.start.count()},
        {"duration_ns", step.duration.count()},
        {"launches", step.launches},
        {"graph_launches", step.graph_launches},
        {"kernels", step.kernels},
        {"kernel_sum_ns", step.kernel_sum.count()}};
}

Json profile_object(const Profile& profile) {
    Json json{
        {"source", to_string(profile.source)},
        {"writer", profile.writer},
        {"step_rule", profile.step_rule},
        {"is_partial", profile.is_partial},
        {"ranks", Json::array()},
        {"capabilities", Json::object()},
        {"warnings", Json::array()}};
    for (const ProfileRank& rank : profile.ranks) {
        json["ranks"].push_back(rank_object(rank));
    }
    for (const ProfileCapability& capability : profile.capabilities) {
        json["capabilities"][capability.name] = to_string(capability.state);
    }
    for (const ProfileWarning& warning : profile.warnings) {
        json["warnings"].push_back(
            {{"word", warning.word}, {"count", warning.count}, {"text", warning.text}}
        );
    }
    return json;
}

} // namespace kvprof::analyzers
