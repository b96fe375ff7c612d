#include "analyzers/kernel_deltas.h"

#include "analyzers/as_double.h"
#include "analyzers/pass_times.h"
#include "analyzers/spec_diff.h"
#include "stats/median.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// Kernels with less of the step are listed and not tested.
constexpr double kLeastShare = 0.001;
/// A step that moved by less has no change to take a share of.
constexpr double kLeastStepChange = 0.001;

struct Key {
    std::optional<OpKind> op;
    Placement placement{};
    std::string_view name;

    friend bool operator==(const Key&, const Key&) = default;
};

struct KeyHash {
    std::size_t operator()(const Key& key) const {
        const std::size_t op = key.op ? static_cast<std::size_t>(*key.op) + 1U : 0U;
        const std::size_t place = op * 4U + static_cast<std::size_t>(key.placement);
        return std::hash<std::string_view>()(key.name) ^ (place * 0x9e3779b97f4a7c15U);
    }
};

/// Copies and fills have no name that tells them apart.
std::string_view name_of(const KernelStat& stat) {
    switch (stat.kind) {
    case ActivityKind::kernel: return stat.name;
    case ActivityKind::memory_set: return "(fill)";
    case ActivityKind::memory_copy: break;
    }
    switch (stat.copy) {
    case CopyKind::host_to_device: return "(copy host-to-device)";
    case CopyKind::device_to_host: return "(copy device-to-host)";
    case CopyKind::device_to_device: return "(copy device-to-device)";
    case CopyKind::none:
    case CopyKind::other: break;
    }
    return "(copy)";
}

using Geometry = std::pair<Dim3, Dim3>;

/// One kernel in the traced runs of a side.
struct Kernel {
    std::vector<double> ns; ///< a step, one a run
    std::vector<double> launches;
    std::set<Geometry> geometries;
    std::vector<double> work; ///< blocks with work a step, one a run; 0 without a rule
    bool has_code = true;     ///< a copy or a fill has none
};

/// The kernels of a side, in order of appearance; names are those of the runs.
class SideKernels {
  public:
    explicit SideKernels(const Side& side) {
        for (const Run& run : side.runs) {
            if (const PassResult* const pass = measured_pass(run, Pass::nodes)) {
                add(run, *pass);
            }
        }
        for (auto& [key, kernel] : kernels_) {
            for (auto* values : {&kernel.ns, &kernel.launches, &kernel.work}) {
                values->resize(runs_, 0.0);
            }
        }
    }

    [[nodiscard]] const std::vector<Key>& order() const { return order_; }

    [[nodiscard]] const Kernel* find(const Key& key) const {
        const auto found = kernels_.find(key);
        return found == kernels_.end() ? nullptr : &found->second;
    }

    [[nodiscard]] std::size_t runs() const { return runs_; }

  private:
    void add(const Run& run, const PassResult& pass) {
        const std::size_t place = runs_++;
        const double steps = as_double(std::max<std::int64_t>(pass.steps, 1));
        for (const KernelStat& stat : run.kernels) {
            const Key key{stat.op, stat.placement, name_of(stat)};
            const auto [found, is_new] = kernels_.try_emplace(key);
            if (is_new) {
                order_.push_back(key);
            }
            Kernel& kernel = found->second;
            for (auto* values : {&kernel.ns, &kernel.launches, &kernel.work}) {
                values->resize(place + 1, 0.0);
            }
            kernel.ns[place] += as_double(stat.time) / steps;
            kernel.launches[place] += as_double(stat.launches) / steps;
            kernel.work[place] += as_double(stat.blocks_with_work.value_or(0)) / steps;
            kernel.geometries.emplace(stat.grid, stat.block);
            kernel.has_code = stat.kind == ActivityKind::kernel;
        }
    }

    std::size_t runs_ = 0; ///< traced
    std::vector<Key> order_;
    std::unordered_map<Key, Kernel, KeyHash> kernels_;
};

/// Fields that say how a step is done. Any other one changes the work of kernels whose code stays.
constexpr std::array<std::string_view, 11> kHow{
    "attention-backend",
    "index-mode",
    "grid",
    "table",
    "indptr",
    "write",
    "alloc",
    "placement",
    "stream-bound",
    "delay-op",
    "delay-us"};

bool has_same_work(const Side& base, const Side& candidate) {
    const auto changes = changes_between(to_params(base.step), to_params(candidate.step));
    return std::all_of(changes.begin(), changes.end(), [](const SpecChange& change) {
        return std::find(kHow.begin(), kHow.end(), change.name) != kHow.end();
    });
}

/// Whether all runs of both sides are of one program, which is known.
bool has_same_program(const Side& base, const Side& candidate) {
    std::set<std::string> programs;
    for (const Side* side : {&base, &candidate}) {
        for (const Run& run : side->runs) {
            programs.insert(run.environment.binary);
        }
    }
    return programs.size() == 1 && !programs.begin()->empty();
}

bool are_alike(const Kernel& base, const Kernel& candidate) {
    const auto whole = [](const Kernel& kernel) {
        return std::pair{stats::median(kernel.launches), stats::median(kernel.work)};
    };
    return base.has_code && base.geometries == candidate.geometries
           && whole(base) == whole(candidate);
}

/// What holds for all kernels of a pair.
struct Steps {
    double base = 0.0; ///< traced, ns
    double candidate = 0.0;
    double change = 0.0; ///< untraced, ns; 0: none to take a share of
    bool has_controls = false;
    double alpha = 0.05;
};

double untraced_change(const Side& base, const Side& candidate) {
    const double from = median_untraced_step(base.runs);
    const double to = median_untraced_step(candidate.runs);
    const bool is_known = from > 0.0 && to > 0.0;
    return is_known && std::abs(to - from) >= kLeastStepChange * from ? to - from : 0.0;
}

double share(double part, double whole) {
    return whole > 0.0 ? part / whole : 0.0;
}

void test_kernel(KernelDelta& delta, double alpha) {
    constexpr std::size_t kFewest = 2;
    if (delta.base_launches == 0.0 || delta.candidate_launches == 0.0) {
        delta.reason = delta.base_launches == 0.0 ? "new" : "gone";
    } else if (delta.of_step < kLeastShare) {
        delta.reason = "below 0.1 % of the step";
    } else if (std::min(delta.base_ns.size(), delta.candidate_ns.size()) < kFewest) {
        delta.reason = "one traced run a side";
    } else {
        delta.test = test_sampled(delta.base_ns, delta.candidate_ns, RankMethod::rank_sum, alpha);
    }
}

KernelDelta
delta_of(const Key& key, const Kernel* base, const Kernel* candidate, const Steps& steps) {
    KernelDelta delta;
    delta.op = key.op;
    delta.placement = key.placement;
    delta.name = std::string(key.name);
    if (base != nullptr) {
        delta.base_ns = base->ns;
        delta.base_median = stats::median(base->ns);
        delta.base_launches = stats::median(base->launches);
    }
    if (candidate != nullptr) {
        delta.candidate_ns = candidate->ns;
        delta.candidate_median = stats::median(candidate->ns);
        delta.candidate_launches = stats::median(candidate->launches);
    }
    delta.change_ns = delta.candidate_median - delta.base_median;
    if (steps.change != 0.0) {
        delta.of_step_change = delta.change_ns / steps.change;
    }
    delta.of_step = std::max(
        share(delta.base_median, steps.base), share(delta.candidate_median, steps.candidate)
    );
    delta.has_same_code = steps.has_controls && base != nullptr && candidate != nullptr
                          && are_alike(*base, *candidate);
    test_kernel(delta, steps.alpha);
    return delta;
}

} // namespace

std::span<const std::string_view> fields_that_keep_work() {
    return kHow;
}

std::vector<KernelDelta> kernel_deltas(const Side& base, const Side& candidate, double alpha) {
    const SideKernels first(base);
    const SideKernels second(candidate);
    if (first.runs() == 0 || second.runs() == 0) {
        return {};
    }
    const Steps steps{
        .base = median_traced_step(base.runs),
        .candidate = median_traced_step(candidate.runs),
        .change = untraced_change(base, candidate),
        .has_controls = has_same_program(base, candidate) && has_same_work(base, candidate),
        .alpha = alpha};
    std::vector<KernelDelta> deltas;
    for (const Key& key : first.order()) {
        deltas.push_back(delta_of(key, first.find(key), second.find(key), steps));
    }
    for (const Key& key : second.order()) {
        if (first.find(key) == nullptr) {
            deltas.push_back(delta_of(key, nullptr, second.find(key), steps));
        }
    }
    std::stable_sort(deltas.begin(), deltas.end(), [](const KernelDelta& a, const KernelDelta& b) {
        return std::abs(a.change_ns) > std::abs(b.change_ns);
    });
    return deltas;
}

} // namespace kvprof::analyzers
