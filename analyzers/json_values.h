#pragma once

#include "analyzers/estimate.h"
#include "analyzers/metric.h"
#include "analyzers/summary.h"
#include "capture/model/ab_design.h"
#include "capture/model/enum_names.h"
#include "capture/model/environment.h"
#include "capture/model/field.h"
#include "capture/model/op_kind.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::analyzers {

// How values become JSON in every JSON document.

using Json = nlohmann::ordered_json;

/// The text of a document: indented by two, a newline at the end.
[[nodiscard]] std::string document(const Json& json);
/// The content under its schema's name.
[[nodiscard]] Json with_schema(const char* schema, const Json& content);

/// Whole numbers as integers, others to a thousandth, what is no number as null.
[[nodiscard]] Json number(double value);
[[nodiscard]] Json number(const std::optional<double>& value);
/// A small real that three decimals would lose.
[[nodiscard]] Json real(const std::optional<double>& value);
/// A value of a metric: ratios are small, and three decimals would lose them.
[[nodiscard]] Json figure(Unit unit, double value);
/// A stored time in nanoseconds, or a count that may be absent.
[[nodiscard]] Json whole(std::chrono::nanoseconds time);
[[nodiscard]] Json whole(const std::optional<std::chrono::nanoseconds>& time);
[[nodiscard]] Json whole(const std::optional<std::int64_t>& count);
/// {"value", "low", "high"}; the bounds are null without an interval.
[[nodiscard]] Json estimate(const Estimate& value);

/// What identifies a metric's row.
[[nodiscard]] Json definition(const std::string& id, const MetricDef& metric);
/// Every value, and their summary.
[[nodiscard]] Json
values(Unit unit, const std::vector<double>& list, const std::optional<Summary>& summary);

[[nodiscard]] Json field_value(const std::string& value);
[[nodiscard]] Json field_value(std::int64_t value);
[[nodiscard]] Json field_value(double value);

template<NamedEnum E>
[[nodiscard]] Json field_value(E value) {
    return to_string(value);
}

/// Every field of a specification under its option's name.
template<typename Spec>
[[nodiscard]] Json fields(const Spec& spec) {
    Json json = Json::object();
    visit_fields(spec, [&](const FieldInfo& info, const auto& value) {
        json[info.name] = field_value(value);
    });
    return json;
}

/// Of a kernel. Null without an op: of an imported one both are unknown.
[[nodiscard]] Json placement_of(const std::optional<OpKind>& op, Placement placement);

/// Where a run stands in an A/B experiment.
[[nodiscard]] Json place_object(const AbPlace& place);
[[nodiscard]] Json environment(const Environment& where);

} // namespace kvprof::analyzers
