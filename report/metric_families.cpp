#include "report/metric_families.h"

#include "analyzers/policy.h"

#include <algorithm>

namespace kvprof::report {

namespace {

using analyzers::Unit;

std::string_view unit_name(Unit unit) {
    switch (unit) {
    case Unit::nanoseconds: return "seconds";
    case Unit::bytes: return "bytes";
    case Unit::ratio: return "ratio";
    case Unit::count: break;
    }
    return {};
}

/// "kvprof_ledger_group": letters, digits and _.
std::string name_from(std::string_view id) {
    std::string name = "kvprof_" + std::string(id);
    std::replace_if(
        name.begin(), name.end(), [](char letter) { return letter == '.' || letter == '-'; }, '_'
    );
    return name;
}

/// The id of a pattern without <...>: its word stays, unless it is "name".
std::string without_brackets(std::string_view pattern, std::string_view label) {
    std::string id(pattern);
    const std::string word = "<" + std::string(label) + ">";
    const std::size_t place = id.find(word);
    return label == "name" ? id.erase(place, word.size() + 1) // with the point after it
                           : id.replace(place, word.size(), label);
}

/// A policy's word for one step, where it has one: step_time also stands for an op alone.
std::string word_or_id(std::string_view id) {
    return id.starts_with("op.") ? std::string(id) : analyzers::name_in(analyzers::Policy{}, id);
}

} // namespace

FamilyName family_of(std::string_view id, const analyzers::MetricDef& metric) {
    FamilyName name{.family = {}, .unit = unit_name(metric.unit), .label = {}, .value = {}};
    const std::size_t open = metric.id.find('<');
    const std::string word = metric.is_of_profile ? std::string(id) : word_or_id(id);
    if (word != id || open == std::string_view::npos) {
        name.family = name_from(word);
    } else {
        const std::size_t close = metric.id.find('>');
        const std::size_t after = metric.id.size() - close - 1;
        name.label = metric.id.substr(open + 1, close - open - 1);
        name.value = id.substr(open, id.size() - open - after);
        name.family = name_from(without_brackets(metric.id, name.label));
    }
    const std::string suffix = name.unit.empty() ? "" : "_" + std::string(name.unit);
    name.family += name.family.ends_with(suffix) ? "" : suffix;
    return name;
}

double in_base_unit(Unit unit, double value) {
    constexpr double kNsPerSecond = 1e9; // divided by: the quotient is the nearest there is
    return unit == Unit::nanoseconds ? value / kNsPerSecond : value;
}

} // namespace kvprof::report
