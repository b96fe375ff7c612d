#include "analyzers/cell_pattern.h"
#include "analyzers/day.h"
#include "analyzers/limit_text.h"
#include "analyzers/metric_names.h"
#include "analyzers/policy.h"
#include "capture/model/error.h"
#include "capture/model/params.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace kvprof::analyzers {

namespace {

constexpr std::int64_t kMostRuns = 1000;

/// Empty when no word is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& words) {
    const std::string_view close = nearest(word, words);
    return close.empty() ? std::string() : fmt::format("did you mean \"{}\"?", close);
}

/// Where a policy is read from: every refusal names the place.
struct PolicySource {
    std::string_view name;

    [[noreturn]] void
    refuse(const toml::source_position& at, std::string_view cause, std::string hint = {}) const {
        throw UsageError(
            fmt::format("{}:{}:{}: could not read the policy: {}", name, at.line, at.column, cause),
            hint.empty() ? "docs/gating.md shows every key" : std::move(hint)
        );
    }

    [[noreturn]] void
    refuse(const toml::node& node, std::string_view cause, std::string hint = {}) const {
        refuse(node.source().begin, cause, std::move(hint));
    }
};

/// One table, which has these keys and no others.
class PolicySection {
  public:
    PolicySection(
        const toml::table& table, PolicySource source, const std::vector<std::string_view>& keys
    )
        : table_(&table),
          source_(source) {
        for (const auto& [key, node] : table) {
            if (std::find(keys.begin(), keys.end(), key.str()) == keys.end()) {
                source.refuse(
                    key.source().begin,
                    fmt::format(
                        "there is no key \"{}\" here, only {}", key.str(), fmt::join(keys, ", ")
                    ),
                    did_you_mean(key.str(), keys)
                );
            }
        }
    }

    [[nodiscard]] const toml::node* find(std::string_view key) const { return table_->get(key); }

    [[nodiscard]] const toml::node& require(std::string_view key) const {
        const toml::node* const node = find(key);
        if (node == nullptr) {
            source_.refuse(*table_, fmt::format("the key \"{}\" is missing", key));
        }
        return *node;
    }

    /// A text that is not empty.
    [[nodiscard]] std::string text(const toml::node& node, std::string_view key) const {
        auto value = node.value_exact<std::string>();
        if (!value || value->empty()) {
            source_.refuse(node, fmt::format("{} must be a text", key));
        }
        return *std::move(value);
    }

  private:
    const toml::table* table_;
    PolicySource source_;
};

/// @throws UsageError when the node is no table.
const toml::table& table_in(const toml::node& node, std::string_view key, PolicySource source) {
    if (node.as_table() == nullptr) {
        source.refuse(node, fmt::format("{} must be a table", key));
    }
    return *node.as_table();
}

/// @return the catalogue's row; null for "kernels"
const MetricDef*
require_metric(const Policy& policy, std::string_view name, PolicySource source, auto&& at) {
    const std::vector<std::string> ids = ids_of(policy, name);
    if (ids.empty()) {
        return nullptr;
    }
    const MetricDef* const found = find_metric(ids.front());
    if (found == nullptr) {
        std::string hint = did_you_mean(name, metric_words());
        source.refuse(
            at,
            fmt::format("there is no metric \"{}\"", name),
            hint.empty() ? "docs/metrics.md lists the ids; one is quoted in a table's name: "
                           "[metric.\"step.gpu_time\"]"
                         : std::move(hint)
        );
    }
    return found;
}

double read_share(const toml::node& node, std::string_view key, PolicySource source) {
    const auto value = node.value<double>();
    if (!value || !(*value > 0.0 && *value < 1.0)) {
        source.refuse(node, fmt::format("{} must be a number between 0 and 1", key));
    }
    return *value;
}

std::int64_t read_runs(const toml::node& node, PolicySource source) {
    const auto value = node.value_exact<std::int64_t>();
    const bool is_even = value && *value >= 2 && *value <= kMostRuns && *value % 2 == 0;
    if (!is_even && value != 1) {
        source.refuse(
            node,
            fmt::format(
                "runs must be an even number from 2 to {}, as a block holds two runs a side; or 1, "
                "for exact metrics",
                kMostRuns
            )
        );
    }
    return *value;
}

OnInconclusive read_answer(const toml::node& node, PolicySource source) {
    const auto word = node.value_exact<std::string>();
    const auto answer = word ? parse_enum<OnInconclusive>(*word) : std::nullopt;
    if (!answer) {
        const std::vector<std::string_view> choices = choices_of<OnInconclusive>();
        source.refuse(
            node,
            fmt::format("on_inconclusive must be one of {}", fmt::join(choices, ", ")),
            word ? did_you_mean(*word, choices) : std::string()
        );
    }
    return *answer;
}

void read_gate(const toml::table& table, PolicySource source, Policy& policy) {
    const PolicySection section(
        table, source, {"primary", "alpha", "q", "runs", "on_inconclusive"}
    );
    if (const toml::node* const node = section.find("primary")) {
        policy.primary.clear();
        policy.primary_line = node->source().begin.line;
        if (node->as_array() == nullptr || node->as_array()->empty()) {
            source.refuse(*node, "primary must be a list of metrics");
        }
        for (const toml::node& element : *node->as_array()) {
            policy.primary.push_back(section.text(element, "a metric of primary"));
        }
    }
    if (const toml::node* const node = section.find("alpha")) {
        policy.alpha = read_share(*node, "alpha", source);
    }
    if (const toml::node* const node = section.find("q")) {
        policy.q = read_share(*node, "q", source);
    }
    if (const toml::node* const node = section.find("runs")) {
        policy.runs = read_runs(*node, source);
    }
    if (const toml::node* const node = section.find("on_inconclusive")) {
        policy.on_inconclusive = read_answer(*node, source);
    }
}

/// What a limit of one kernel may be: a time, a launch.
const MetricDef& kernel_row() {
    return metric("op.<name>.time");
}

Limits read_limits(const toml::node& node, const MetricDef& metric, PolicySource source) {
    Limits limits;
    const auto read = [&](const toml::node& one) {
        const auto count = one.value_exact<std::int64_t>();
        const auto text =
            count ? std::optional(fmt::format("{}", *count)) : one.value_exact<std::string>();
        if (!text) {
            source.refuse(one, "a threshold must be a text, as \"1%\" or \"200ns\"");
        }
        if (const std::string cause = read_limit(*text, metric, limits); !cause.empty()) {
            source.refuse(one, cause);
        }
    };
    if (const toml::array* const several = node.as_array()) {
        if (several->empty()) {
            source.refuse(node, "the list of thresholds is empty");
        }
        for (const toml::node& one : *several) {
            read(one);
        }
    } else {
        read(node);
    }
    return limits;
}

std::string read_source(const toml::node& node, std::string_view metric, PolicySource source) {
    if (metric != kGraphMemory) {
        source.refuse(
            node,
            fmt::format("{} has no choice of source, {} alone has", metric, kGraphMemory),
            "name the id of the source that you mean: docs/metrics.md"
        );
    }
    const auto word = node.value_exact<std::string>();
    if (!word || graph_memory_id(*word).empty()) {
        source.refuse(
            node,
            fmt::format("source must be one of {}", fmt::join(memory_sources(), ", ")),
            word ? did_you_mean(*word, memory_sources()) : std::string()
        );
    }
    return *word;
}

void read_rules(const toml::table& metrics, PolicySource source, Policy& policy) {
    for (const auto& [key, node] : metrics) {
        const toml::source_position at = key.source().begin;
        const std::string name(key.str());
        require_metric(policy, name, source, at);
        const PolicySection section(table_in(node, name, source), source, {"threshold", "source"});
        policy.rules.push_back({.metric = name, .limits = {}, .source = {}, .line = at.line});
        if (const toml::node* const word = section.find("source")) {
            policy.rules.back().source = read_source(*word, name, source);
        }
        if (const toml::node* const threshold = section.find("threshold")) {
            const MetricDef* const row = require_metric(policy, name, source, at);
            policy.rules.back().limits =
                read_limits(*threshold, row == nullptr ? kernel_row() : *row, source);
        }
    }
}

/// A row's word and its id may not both have a rule: which one holds would be a matter of order.
void check_rules(PolicySource source, const Policy& policy) {
    std::map<std::string, const MetricRule*> seen;
    for (const MetricRule& rule : policy.rules) {
        const std::vector<std::string> ids = ids_of(policy, rule.metric);
        const auto [other, is_new] = seen.emplace(ids.empty() ? rule.metric : ids.front(), &rule);
        if (!is_new) {
            const MetricRule& second = other->second->line > rule.line ? *other->second : rule;
            const MetricRule& first = &second == &rule ? *other->second : rule;
            source.refuse(
                toml::source_position{static_cast<toml::source_index>(second.line), 1},
                fmt::format(
                    "{} is named twice: {} of line {} is the same metric",
                    second.metric,
                    first.metric,
                    first.line
                )
            );
        }
    }
}

/// "2026-12-31", as a text or as TOML's own date.
std::string read_day(const toml::node& node, PolicySource source) {
    std::string day;
    if (const auto date = node.value_exact<toml::date>()) {
        day = fmt::format("{:04}-{:02}-{:02}", date->year, date->month, date->day);
    } else {
        day = node.value_exact<std::string>().value_or("");
    }
    if (!is_day(day)) {
        source.refuse(node, "until must be a day that exists, as \"2026-12-31\"");
    }
    return day;
}

Acceptance read_acceptance(const toml::node& node, PolicySource source, const Policy& policy) {
    const PolicySection section(
        table_in(node, "accept", source), source, {"metric", "case", "until", "reason"}
    );
    const toml::node& name = section.require("metric");
    Acceptance acceptance{.metric = section.text(name, "metric"), .line = node.source().begin.line};
    require_metric(policy, acceptance.metric, source, name);
    if (const toml::node* const cell = section.find("case")) {
        acceptance.cell = section.text(*cell, "case");
        try {
            static_cast<void>(parse_cell_pattern(acceptance.cell));
        } catch (const UsageError& failure) {
            source.refuse(*cell, failure.what(), failure.hint());
        }
    }
    acceptance.until = read_day(section.require("until"), source);
    acceptance.reason = section.text(section.require("reason"), "reason");
    return acceptance;
}

void read_acceptances(const toml::node& node, PolicySource source, Policy& policy) {
    if (node.as_array() == nullptr) {
        source.refuse(node, "accept must be a list of tables: [[accept]]");
    }
    for (const toml::node& element : *node.as_array()) {
        policy.accepted.push_back(read_acceptance(element, source, policy));
    }
}

/// A primary metric must exist, and stand there once.
void check_primary(const toml::array& names, PolicySource source, const Policy& policy) {
    std::set<std::string> seen;
    for (std::size_t i = 0; i < policy.primary.size(); ++i) {
        const std::string& name = policy.primary[i];
        require_metric(policy, name, source, names[i]);
        const std::vector<std::string> ids = ids_of(policy, name);
        if (!seen.insert(ids.empty() ? name : ids.front()).second) {
            source.refuse(names[i], fmt::format("{} is there twice", name));
        }
    }
}

/// Reads `[gate]`, `[metric.NAME]` and `[[accept]]`; a name is checked once the sources are known.
Policy read_policy(const toml::table& table, PolicySource source) {
    const PolicySection root(table, source, {"version", "gate", "metric", "accept"});
    if (const toml::node* const version = root.find("version");
        version != nullptr && version->value_exact<std::int64_t>() != 1) {
        source.refuse(*version, "this program reads version 1");
    }
    Policy policy;
    policy.origin = source.name;
    if (const toml::node* const gate = root.find("gate")) {
        read_gate(table_in(*gate, "gate", source), source, policy);
    }
    if (const toml::node* const metrics = root.find("metric")) {
        read_rules(table_in(*metrics, "metric", source), source, policy);
        check_rules(source, policy);
    }
    if (const toml::node* const accepted = root.find("accept")) {
        read_acceptances(*accepted, source, policy);
    }
    if (const toml::array* const names = table["gate"]["primary"].as_array()) {
        check_primary(*names, source, policy);
    }
    const auto sampled =
        std::find_if(policy.primary.begin(), policy.primary.end(), [&](const std::string& name) {
            return is_sampled(policy, name);
        });
    if (policy.runs == 1 && sampled != policy.primary.end()) {
        source.refuse(
            *table["gate"]["runs"].node(),
            fmt::format("runs = 1 is for exact metrics only, and {} varies", *sampled),
            "give primary a list of exact metrics, as [\"launches\", \"copies\"]"
        );
    }
    return policy;
}

} // namespace

Policy parse_policy(std::string_view toml, std::string_view origin) {
    const PolicySource source{origin};
    toml::table table;
    try {
        table = toml::parse(toml, origin);
    } catch (const toml::parse_error& failure) {
        source.refuse(failure.source().begin, failure.description());
    }
    return read_policy(table, source);
}

} // namespace kvprof::analyzers
