#pragma once

#include "analyzers/metric.h"
#include "capture/model/enum_names.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::analyzers {

/// What `gate` answers when something gated is inconclusive.
enum class OnInconclusive : std::uint8_t { fail, warn, pass };

/// How much a metric may change before it counts. A change counts when it passes every limit that
/// is given; it does not when its interval lies inside any one of them.
struct Limits {
    std::optional<double> ratio;    ///< 0.01: 1 % of the base
    std::optional<double> absolute; ///< in the metric's unit: ns, bytes, a count
    std::optional<double> of_step;  ///< 0.001: 0.1 % of the step's time

    friend bool operator==(const Limits&, const Limits&) = default;
};

/// `[metric.NAME]` of a policy.
struct MetricRule {
    std::string metric; ///< an alias ("step_time"), a catalogue id or an id of a report
    Limits limits;
    std::string source; ///< of a memory metric: "exact", "driver", "device-free"; empty: exact
    std::int64_t line = 0;

    friend bool operator==(const MetricRule&, const MetricRule&) = default;
};

/// `[[accept]]`: a regression that is known. Not counted up to and on its last day.
struct Acceptance {
    std::string metric;
    std::string cell;  ///< "batch=64,seq-len=*": FIELD=GLOB of the step, all of them; empty: any
    std::string until; ///< "2026-12-31"
    std::string reason;
    std::int64_t line = 0;

    friend bool operator==(const Acceptance&, const Acceptance&) = default;
};

/// What counts as a change, and which changes a gate judges. kvprof.toml, or these defaults.
struct Policy {
    std::string origin; ///< the file; empty: built in
    /// Metrics whose sampled rows are one Holm family; "kernels" stands for every kernel.
    std::vector<std::string> primary{"step_time", "launches", "copies", "graph_memory"};
    std::int64_t primary_line = 0;
    double alpha = 0.05;   ///< of the primary family
    double q = 0.05;       ///< false discovery rate of all other rows
    std::int64_t runs = 8; ///< a side, of a gate that measures
    OnInconclusive on_inconclusive = OnInconclusive::fail;
    std::vector<MetricRule> rules;
    std::vector<Acceptance> accepted;

    friend bool operator==(const Policy&, const Policy&) = default;
};

/// Reads a policy. @param origin the file's name, for messages
/// @throws UsageError as "FILE:LINE:COLUMN: ..." for what is no TOML, an unknown key (with the
/// nearest), metric, unit or field, a value outside its range, and a day that is none.
[[nodiscard]] Policy parse_policy(std::string_view toml, std::string_view origin);

/// Whether kernels are among the primary metrics.
[[nodiscard]] bool gates_kernels(const Policy& policy);

/// The row that a word of a policy means, as ids of the catalogue or of a report: "step_time" ->
/// step.gpu_time and op.gpu_time (one op alone), "launches" -> step.launches, "copies" ->
/// step.copies, "graph_memory" -> ledger.graph.bytes or what its source names, "wall_time". An id
/// stands for itself.
[[nodiscard]] std::vector<std::string> ids_of(const Policy& policy, std::string_view name);

/// Whether a test decides what the word stands for: times, sampled memory, kernels.
[[nodiscard]] bool is_sampled(const Policy& policy, std::string_view name);

/// The policy's own word for a row, or its id: "step_time".
[[nodiscard]] std::string name_in(const Policy& policy, std::string_view id);

/// The limits of a row: the policy's rule, else the default of its metric (docs/gating.md).
[[nodiscard]] Limits limits_for(const Policy& policy, std::string_view id, const MetricDef& metric);
/// Of one kernel: 3 % and 200 ns a launch and 0.1 % of the step, unless the rule "kernels" is
/// there.
[[nodiscard]] Limits kernel_limits(const Policy& policy);

} // namespace kvprof::analyzers

template<>
struct kvprof::EnumNames<kvprof::analyzers::OnInconclusive> {
    using enum kvprof::analyzers::OnInconclusive;
    static constexpr std::array values{
        std::pair{fail, "fail"}, std::pair{warn, "warn"}, std::pair{pass, "pass"}};
};
