#include "analyzers/series_list.h"

#include <algorithm>
#include <utility>

namespace kvprof::analyzers {

void SeriesList::add(std::string_view metric_id, std::string id, double value) {
    const MetricDef& definition = metric(metric_id);
    const auto found = std::find_if(list_.begin(), list_.end(), [&](const Series& series) {
        return series.metric == &definition && series.id == id;
    });
    if (found == list_.end()) {
        list_.push_back({std::move(id), &definition, {value}});
    } else if (definition.kind == MetricKind::exact) {
        found->values.front() += value;
    } else {
        found->values.push_back(value);
    }
}

void SeriesList::add(std::string_view metric_id, double value) {
    add(metric_id, std::string(metric_id), value);
}

std::vector<Series> SeriesList::in_catalogue_order() && {
    std::stable_sort(list_.begin(), list_.end(), [](const Series& a, const Series& b) {
        return a.metric < b.metric;
    });
    return std::move(list_);
}

} // namespace kvprof::analyzers
