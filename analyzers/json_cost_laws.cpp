#include "analyzers/json_cost_laws.h"

#include "analyzers/cost_law_words.h"
#include "analyzers/cost_laws.h"

namespace kvprof::analyzers {

namespace {

Json coefficient_or_null(const std::optional<stats::Coefficient>& figure) {
    if (!figure) {
        return nullptr;
    }
    const stats::Bounds bounds = stats::bounds_of(*figure);
    return {
        {"value", real(figure->value)},
        {"low", real(bounds.low)},
        {"high", real(bounds.high)},
        {"error", real(figure->error)},
        {"degrees", figure->degrees}};
}

/// What a law is of, and along which axis.
Json head_of(const TimeLaw& law) {
    const bool is_kernel = !law.subject.kernel.empty();
    return {
        {"axis", to_string(law.axis)},
        {"kernel", is_kernel ? Json(law.subject.kernel) : Json(nullptr)},
        {"op", law.subject.op ? Json(to_string(*law.subject.op)) : Json(nullptr)},
        {"placement", is_kernel ? placement_of(law.subject.op, law.subject.placement) : nullptr}};
}

Json object_of(const TimeLaw& law) {
    Json json = head_of(law);
    json["points"] = Json::array();
    for (const LawPoint& point : law.points) {
        json["points"].push_back(
            {{"value", point.value},
             {"work", number(point.work)},
             {"time_ns", number(point.time_ns)},
             {"launches", number(point.launches)},
             {"share", real(point.share)}}
        );
    }
    json["a_ns"] = coefficient_or_null(coefficient(law.line, &stats::LineFit::intercept));
    json["b_ns"] = coefficient_or_null(coefficient(law.line, &stats::LineFit::slope));
    json["elasticity"] = coefficient_or_null(coefficient(law.power, &stats::LineFit::slope));
    json["flag"] = to_string(law.flag);
    return json;
}

Json object_of(const ByteLaw& law) {
    Json lines = Json::array();
    for (const ByteLine& line : law.lines) {
        Json points = Json::array();
        for (const ByteLine::Point& point : line.points) {
            points.push_back({{"value", point.value}, {"bytes", point.bytes.count}});
        }
        lines.push_back(
            {{"axis", to_string(line.axis)},
             {"points", std::move(points)},
             {"a_bytes", number(line.intercept)},
             {"b_bytes", real(line.slope)},
             {"elasticity", real(line.elasticity)}}
        );
    }
    Json follows = Json::array();
    for (const ByteSource source : law.follows) {
        follows.push_back(to_string(source));
    }
    Json capacity = Json::array();
    for (const SweepAxis axis : law.capacity_axes) {
        capacity.push_back(to_string(axis));
    }
    return {
        {"buffer", law.buffer},
        {"group", law.group},
        {"most_bytes", law.most.count},
        {"follows", std::move(follows)},
        {"lines", std::move(lines)},
        {"capacity_axes", std::move(capacity)}};
}

Json object_of(const AxisRuns& axis) {
    Json missing = Json::array();
    for (const MissingFigure& figure : missing_figures(axis, nullptr)) {
        missing.push_back({{"value", figure.value}, {"reason", figure.reason}});
    }
    Json runs = Json::array();
    for (const Run* run : axis.runs) {
        runs.push_back(run->uuid);
    }
    return {
        {"axis", to_string(axis.axis)}, {"runs", std::move(runs)}, {"missing", std::move(missing)}};
}

Json object_of(const SideLaws& side);
Json object_of(const TimeLawChange& change);

template<typename Part>
Json list_of(const std::vector<Part>& parts) {
    Json list = Json::array();
    for (const Part& part : parts) {
        list.push_back(object_of(part));
    }
    return list;
}

Json object_of(const SideLaws& side) {
    return {
        {"side", side.side ? Json(to_string(*side.side)) : Json(nullptr)},
        {"axes", list_of(side.axes)},
        {"times", list_of(side.times)},
        {"bytes", list_of(side.bytes)}};
}

Json flag_or_null(const TimeLaw* law) {
    return law == nullptr ? Json(nullptr) : Json(to_string(law->flag));
}

/// B - A; null where one side has no such law, or no fit.
Json object_of(const TimeLawChange& change) {
    Json json = head_of(change.a != nullptr ? *change.a : *change.b);
    json["a_ns"] = coefficient_or_null(change.intercept);
    json["b_ns"] = coefficient_or_null(change.slope);
    json["elasticity"] = coefficient_or_null(change.elasticity);
    json["flags"] = {{"a", flag_or_null(change.a)}, {"b", flag_or_null(change.b)}};
    return json;
}

} // namespace

Json cost_laws_object(const Experiment& experiment) {
    const std::vector<SideLaws> sides = cost_laws(experiment.runs);
    return {
        {"sides", list_of(sides)},
        {"changes",
         sides.size() == 2 ? list_of(time_law_changes(sides[0], sides[1])) : Json(nullptr)}};
}

} // namespace kvprof::analyzers
