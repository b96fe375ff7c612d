#include "analyzers/metric_names.h"

#include "capture/model/memory_stat.h"
#include "capture/model/op_kind.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace kvprof::analyzers {

namespace {

constexpr std::array kSources{
    std::pair<std::string_view, std::string_view>{"exact", "ledger.graph.bytes"},
    std::pair<std::string_view, std::string_view>{
        "driver", "graph_memory.graph-reserved-high.bytes"},
    std::pair<std::string_view, std::string_view>{"device-free", "graph_memory.peak.bytes"}};

constexpr std::array<std::string_view, 6> kGroups{
    "graph", "tables", "inputs", "pool", "scratch", "model"};

constexpr std::array<std::string_view, 4> kGraphAttributes{
    to_string(MemorySource::graph_used),
    to_string(MemorySource::graph_used_high),
    to_string(MemorySource::graph_reserved),
    to_string(MemorySource::graph_reserved_high)};

template<std::size_t n>
bool is_one_of(const std::array<std::string_view, n>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// The text in the place of <...>; empty when the id does not fit.
std::string_view filling(std::string_view pattern, std::string_view id) {
    const std::size_t open = pattern.find('<');
    const std::string_view head = pattern.substr(0, open);
    const std::string_view tail = pattern.substr(pattern.find('>') + 1);
    if (id.size() <= head.size() + tail.size() || !id.starts_with(head) || !id.ends_with(tail)) {
        return {};
    }
    return id.substr(head.size(), id.size() - head.size() - tail.size());
}

bool is_allowed(std::string_view pattern, std::string_view name) {
    if (name.empty() || name.find_first_of("<>*? ") != std::string_view::npos) {
        return false;
    }
    if (pattern.starts_with("op.")) {
        return parse_enum<OpKind>(name).has_value();
    }
    if (pattern.find("<group>") != std::string_view::npos) {
        return is_one_of(kGroups, name);
    }
    if (pattern.find("<source>") != std::string_view::npos) {
        return is_one_of(kGraphAttributes, name);
    }
    if (pattern.find("<mark>") != std::string_view::npos) {
        return parse_enum<MemoryMark>(name).has_value();
    }
    return true;
}

/// The catalogue's ids, patterns filled with every name that is not free.
std::vector<std::string> filled_ids() {
    std::vector<std::string> ids;
    const auto fill = [&](std::string_view pattern, std::string_view name) {
        const std::size_t open = pattern.find('<');
        ids.push_back(
            std::string(pattern.substr(0, open)) + std::string(name)
            + std::string(pattern.substr(pattern.find('>') + 1))
        );
    };
    for (const MetricDef& row : metric_catalogue()) {
        if (row.id.find('<') == std::string_view::npos) {
            ids.emplace_back(row.id);
            continue;
        }
        for (const auto& [op, name] : EnumNames<OpKind>::values) {
            if (row.id.starts_with("op.")) {
                fill(row.id, name);
            }
        }
        for (const auto& [mark, name] : EnumNames<MemoryMark>::values) {
            if (row.id.find("<mark>") != std::string_view::npos) {
                fill(row.id, name);
            }
        }
        for (const std::string_view name : kGroups) {
            if (row.id.find("<group>") != std::string_view::npos) {
                fill(row.id, name);
            }
        }
        for (const std::string_view name : kGraphAttributes) {
            if (row.id.find("<source>") != std::string_view::npos) {
                fill(row.id, name);
            }
        }
    }
    return ids;
}

} // namespace

const MetricDef* find_metric(std::string_view id) {
    for (const MetricDef& row : metric_catalogue()) {
        const bool is_pattern = row.id.find('<') != std::string_view::npos;
        if (is_pattern ? is_allowed(row.id, filling(row.id, id)) : row.id == id) {
            return &row;
        }
    }
    return nullptr;
}

std::vector<std::string_view> metric_words() {
    static const std::vector<std::string> ids = filled_ids();
    std::vector<std::string_view> words{
        kStepTime, kWallTime, kLaunches, kCopies, kGraphMemory, kKernels};
    words.insert(words.end(), ids.begin(), ids.end());
    return words;
}

std::vector<std::string_view> memory_sources() {
    std::vector<std::string_view> names;
    for (const auto& [name, id] : kSources) {
        names.push_back(name);
    }
    return names;
}

std::string_view graph_memory_id(std::string_view source) {
    for (const auto& [name, id] : kSources) {
        if (name == source) {
            return id;
        }
    }
    return {};
}

} // namespace kvprof::analyzers
