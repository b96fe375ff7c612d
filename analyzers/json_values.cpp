#include "analyzers/json_values.h"

#include <cmath>

namespace kvprof::analyzers {

namespace {

constexpr int kIndent = 2;
/// Times per replay are kept to a thousandth of a nanosecond.
constexpr double kDigits = 1000.0;
/// Above it (2^53) a double has no digits behind the point to round, and may be no std::int64_t.
constexpr double kMostRounded = 9'007'199'254'740'992.0;

} // namespace

std::string document(const Json& json) {
    // Names come from the machine: a byte that is no UTF-8 must not end the program.
    return json.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json figure(Unit unit, double value) {
    return unit == Unit::ratio ? real(value) : number(value);
}

Json with_schema(const char* schema, const Json& content) {
    Json json{{"schema", schema}};
    json.update(content);
    return json;
}

Json number(double value) {
    if (!std::isfinite(value)) {
        return nullptr;
    }
    if (std::abs(value) >= kMostRounded) {
        return value;
    }
    const double rounded = std::round(value * kDigits) / kDigits;
    if (rounded == std::floor(rounded)) {
        return static_cast<std::int64_t>(rounded);
    }
    return rounded;
}

Json number(const std::optional<double>& value) {
    return value ? number(*value) : Json(nullptr);
}

Json real(const std::optional<double>& value) {
    return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json whole(std::chrono::nanoseconds time) {
    return std::int64_t{time.count()};
}

Json whole(const std::optional<std::chrono::nanoseconds>& time) {
    return time ? whole(*time) : Json(nullptr);
}

Json whole(const std::optional<std::int64_t>& count) {
    return count ? Json(*count) : Json(nullptr);
}

Json estimate(const Estimate& value) {
    return {
        {"value", number(value.value)},
        {"low", value.interval ? number(value.interval->low) : Json(nullptr)},
        {"high", value.interval ? number(value.interval->high) : Json(nullptr)}};
}

Json definition(const std::string& id, const MetricDef& metric) {
    return {
        {"id", id},
        {"unit", to_string(metric.unit)},
        {"better", to_string(metric.better)},
        {"kind", to_string(metric.kind)}};
}

Json values(Unit unit, const std::vector<double>& list, const std::optional<Summary>& summary) {
    Json json{{"n", list.size()}, {"values", Json::array()}};
    for (const double value : list) {
        json["values"].push_back(figure(unit, value));
    }
    json["min"] = summary ? figure(unit, summary->min) : Json(nullptr);
    json["median"] = summary ? figure(unit, summary->median) : Json(nullptr);
    json["max"] = summary ? figure(unit, summary->max) : Json(nullptr);
    json["mad"] = summary ? figure(unit, summary->mad) : Json(nullptr);
    return json;
}

Json field_value(const std::string& value) {
    return value;
}

Json field_value(std::int64_t value) {
    return value;
}

Json field_value(double value) {
    return real(value);
}

Json placement_of(const std::optional<OpKind>& op, Placement placement) {
    return op ? Json(to_string(placement)) : Json(nullptr);
}

Json place_object(const AbPlace& place) {
    return {
        {"side", to_string(place.side)},
        {"block", place.block},
        {"place", place.place},
        {"attempt", place.attempt}};
}

Json environment(const Environment& where) {
    Json json = fields(where);
    json["foreign"] = Json::array();
    for (const ForeignProcess& process : where.foreign) {
        json["foreign"].push_back(
            {{"when", process.when}, {"pid", process.pid}, {"bytes", process.bytes}}
        );
    }
    return json;
}

} // namespace kvprof::analyzers
