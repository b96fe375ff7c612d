#include "report/schema_definitions.h"

#include "analyzers/byte_law.h"
#include "analyzers/comparability.h"
#include "analyzers/metric.h"
#include "analyzers/policy.h"
#include "analyzers/sampled_test.h"
#include "analyzers/step_parts.h"
#include "analyzers/time_law.h"
#include "capture/model/run.h"
#include "report/claims.h"
#include "report/format.h"

#include <cstdint>
#include <string>

namespace kvprof::report {

namespace {

using analyzers::Json;

template<NamedEnum E>
Json words() {
    Json list = Json::array();
    for (const auto& [value, name] : EnumNames<E>::values) {
        list.push_back(name);
    }
    return {{"enum", list}};
}

Json type_of(const std::string& /*value*/) {
    return {{"type", "string"}};
}

Json type_of(std::int64_t /*value*/) {
    return {{"type", "integer"}};
}

Json type_of(double /*value*/) {
    return {{"type", {"number", "null"}}};
}

template<NamedEnum E>
Json type_of(E /*value*/) {
    return words<E>();
}

/// An object of fields, each with its sentence. @param as_words all values are texts
template<typename Spec>
Json fields_of(bool as_words = false) {
    Json properties = Json::object();
    Json names = Json::array();
    const Spec defaults;
    visit_fields(defaults, [&](const FieldInfo& info, const auto& value) {
        Json type = as_words ? type_of(std::string()) : type_of(value);
        if (info.doc != nullptr && *info.doc != '\0') {
            type["description"] = info.doc;
        }
        properties[info.name] = type;
        names.push_back(info.name);
    });
    return {{"type", "object"}, {"required", names}, {"properties", properties}};
}

/// "hl-signed-rank": the estimate is Hodges and Lehmann's, the interval the test's.
Json change_methods() {
    Json list = Json::array();
    for (const auto& [value, name] : EnumNames<analyzers::RankMethod>::values) {
        list.push_back("hl-" + std::string(name));
    }
    return {{"enum", list}};
}

} // namespace

Json generated_definitions() {
    return {
        {"step", fields_of<StepSpec>()},
        {"measure", fields_of<MeasureSpec>()},
        {"step_words", fields_of<StepSpec>(true)},
        {"measure_words", fields_of<MeasureSpec>(true)},
        {"environment_fields", fields_of<Environment>()},
        {"change_method", change_methods()},
        {"ab_side", words<AbSide>()},
        {"activity_kind", words<ActivityKind>()},
        {"api_kind", words<ApiKind>()},
        {"better", words<analyzers::Direction>()},
        {"byte_source", words<analyzers::ByteSource>()},
        {"ceiling_kind", words<CeilingKind>()},
        {"claim_kind", words<ClaimKind>()},
        {"claim_verdict", words<ClaimVerdict>()},
        {"condition_kind", words<ConditionKind>()},
        {"copy_kind", words<CopyKind>()},
        {"csv_table", words<CsvTable>()},
        {"experiment_kind", words<ExperimentKind>()},
        {"experiment_state", words<ExperimentState>()},
        {"format", words<Format>()},
        {"law_flag", words<analyzers::LawFlag>()},
        {"memory_mark", words<MemoryMark>()},
        {"memory_source", words<MemorySource>()},
        {"metric_kind", words<analyzers::MetricKind>()},
        {"on_inconclusive", words<analyzers::OnInconclusive>()},
        {"op", words<OpKind>()},
        {"pass", words<Pass>()},
        {"placement", words<Placement>()},
        {"role", words<Role>()},
        {"run_state", words<RunState>()},
        {"severity", words<analyzers::Severity>()},
        {"stage", words<Stage>()},
        {"sweep_axis", words<SweepAxis>()},
        {"time_part", words<analyzers::TimePart>()},
        {"unit", words<analyzers::Unit>()},
        {"verdict", words<analyzers::Verdict>()}};
}

} // namespace kvprof::report
