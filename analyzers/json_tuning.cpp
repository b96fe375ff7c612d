#include "analyzers/json_tuning.h"

namespace kvprof::analyzers {

namespace {

Json choice_object(const LaunchChoice& choice) {
    return {
        {"is_shipped", choice.is_shipped()},
        {"index-split", to_string(choice.split)},
        {"index-threads", choice.threads},
        {"index-items", choice.items},
        {"index-blocks", choice.blocks},
        {"launch-edges", to_string(choice.edges)}};
}

Json place_or_null(const std::optional<std::size_t>& place) {
    return place ? Json(*place) : Json();
}

Json times_of(const TunedShape& shape) {
    Json times = Json::array();
    for (std::size_t i = 0; i < shape.times.size(); ++i) {
        if (const auto& time = shape.times[i]) {
            times.push_back(
                {{"choice", i},
                 {"time_ns", number(time->ns)},
                 {"low_ns", number(time->low)},
                 {"high_ns", number(time->high)},
                 {"runs", time->runs},
                 {"regret", real(shape.regret(i))}}
            );
        }
    }
    return times;
}

Json shape_object(const TunedShape& shape) {
    Json json{
        {"batch", shape.step.batch},
        {"seq-len", shape.step.seq_len},
        {"length-law", to_string(shape.step.length_law)},
        {"long-len", shape.step.long_len},
        {"fragmentation", to_string(shape.step.fragmentation)},
        {"best", place_or_null(shape.best)},
        {"ties", shape.ties},
        {"times", times_of(shape)},
        {"untimed", Json::array()}};
    for (const UntimedChoice& one : shape.untimed) {
        json["untimed"].push_back(
            {{"choice", one.choice}, {"state", to_string(one.state)}, {"reason", one.reason}}
        );
    }
    return json;
}

Json joint_or_null(const Tuning& tuning) {
    if (!tuning.joint) {
        return {};
    }
    const JointChoice& joint = *tuning.joint;
    return {
        {"choice", joint.choice},
        {"largest_regret", real(joint.largest_regret)},
        {"worst_shape", joint.worst_shape},
        {"ties", joint.ties}};
}

} // namespace

Json tuning_object(const Tuning& tuning) {
    Json json{
        {"op", tuning.op},
        {"choices", Json::array()},
        {"shapes", Json::array()},
        {"joint", joint_or_null(tuning)},
        {"shipped", place_or_null(tuning.shipped)},
        {"shipped_largest_regret",
         real(tuning.shipped ? tuning.largest_regret(*tuning.shipped) : std::nullopt)}};
    for (const LaunchChoice& choice : tuning.choices) {
        json["choices"].push_back(choice_object(choice));
    }
    for (const TunedShape& shape : tuning.shapes) {
        json["shapes"].push_back(shape_object(shape));
    }
    return json;
}

} // namespace kvprof::analyzers
