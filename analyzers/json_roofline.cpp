#include "analyzers/json_roofline.h"

namespace kvprof::analyzers {

namespace {

Json ceilings_object(const Ceilings& ceilings) {
    Json json{
        {"device_uuid", ceilings.device_uuid},
        {"driver", ceilings.driver},
        {"measured_at", ceilings.measured_at},
        {"node_ns", number(ceilings.node_ns)},
        {"copies", Json::array()}};
    for (const CopyCeiling& copy : ceilings.copies) {
        json["copies"].push_back(
            {{"kind", to_string(copy.kind)},
             {"copied_bytes", copy.copied.count},
             {"bytes_per_s", number(copy.bytes_per_s)}}
        );
    }
    return json;
}

} // namespace

Json ceilings_or_null(const std::optional<Ceilings>& ceilings) {
    return ceilings ? ceilings_object(*ceilings) : Json(nullptr);
}

Json roofline_object(const Run& run) {
    const Roofline roofline = roofline_of(run);
    Json json{
        {"is_alone", roofline.is_alone},
        {"why_no_floor",
         roofline.why_no_floor.empty() ? Json(nullptr) : Json(roofline.why_no_floor)},
        {"ops", Json::array()}};
    for (const RooflineRow& row : roofline.rows) {
        json["ops"].push_back(
            {{"op", to_string(row.op)},
             {"placement", to_string(row.placement)},
             {"launches", number(row.launches)},
             {"least_bytes", number(row.bytes)},
             {"floor_ns", row.floor ? number(row.floor->ns) : Json(nullptr)},
             {"bound", row.floor ? Json(to_string(row.floor->bound)) : Json(nullptr)},
             {"time_ns", number(row.time_ns)},
             {"over_floor", real(row.over_floor)}}
        );
    }
    return json;
}

Json roofline_list(const std::vector<Run>& base, const std::vector<Run>& candidate) {
    Json list = Json::array();
    for (const RooflineDelta& delta : roofline_deltas(base, candidate)) {
        list.push_back(
            {{"op", to_string(delta.op)},
             {"placement", to_string(delta.placement)},
             {"base_least_bytes", number(delta.base_bytes)},
             {"candidate_least_bytes", number(delta.candidate_bytes)},
             {"base_floor_ns", number(delta.base_floor_ns)},
             {"candidate_floor_ns", number(delta.candidate_floor_ns)},
             {"base_over_floor", real(delta.base_over_floor)},
             {"candidate_over_floor", real(delta.candidate_over_floor)}}
        );
    }
    return list;
}

std::string ceilings_json(const std::vector<Ceilings>& all) {
    Json json{{"devices", Json::array()}};
    for (const Ceilings& ceilings : all) {
        json["devices"].push_back(ceilings_object(ceilings));
    }
    return document(with_schema("kvprof.ceilings/1", json));
}

} // namespace kvprof::analyzers
