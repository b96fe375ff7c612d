#include "analyzers/kernel_deltas.h"

#include "analyzers/imported_runs.h"
#include "analyzers/kernel_sides.h"
#include "analyzers/pass_times.h"
#include "analyzers/spec_diff.h"
#include "stats/median.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

namespace kvprof::analyzers {

namespace {

/// Kernels with less of the step are listed and not tested.
constexpr double kLeastShare = 0.001;
/// A step that moved by less has no change to take a share of.
constexpr double kLeastStepChange = 0.001;

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

bool are_alike(const SideKernel& base, const SideKernel& candidate) {
    const auto whole = [](const SideKernel& kernel) {
        return std::pair{stats::median(kernel.launches), stats::median(kernel.work)};
    };
    return base.has_code && base.geometries == candidate.geometries
           && whole(base) == whole(candidate);
}

/// Why a kernel that both sides have is not tested.
struct Reasons {
    const char* no_step;
    const char* small;
    const char* one_run;
};

constexpr Reasons kOfOwn{"no traced step", "below 0.1 % of the step", "one traced run a side"};
constexpr Reasons kOfProfiles{
    "no kernel time", "below 0.1 % of the kernel time", "one capture a side"};

/// What holds for all kernels of a pair.
struct Steps {
    double base = 0.0; ///< as step_of_kernels() has it
    double candidate = 0.0;
    double change = 0.0; ///< untraced, ns; 0: none to take a share of
    bool has_controls = false;
    double alpha = 0.05;
    const Reasons* reasons = &kOfOwn;
};

double whole_of(const Side& side, const SideKernels& kernels) {
    if (!are_imported(side.runs)) {
        return median_traced_step(side.runs);
    }
    double sum = 0.0;
    for (const SideKernel& kernel : kernels.all()) {
        sum += kernel.has_code ? stats::median(kernel.ns) : 0.0;
    }
    return sum;
}

double untraced_change(const Side& base, const Side& candidate) {
    const double from = median_untraced_step(base.runs);
    const double to = median_untraced_step(candidate.runs);
    const bool is_known = from > 0.0 && to > 0.0;
    return is_known && std::abs(to - from) >= kLeastStepChange * from ? to - from : 0.0;
}

double share(double part, double whole) {
    return whole > 0.0 ? part / whole : 0.0;
}

void test_kernel(KernelDelta& delta, const Steps& steps) {
    constexpr std::size_t kFewest = 2;
    if (delta.base_launches == 0.0 || delta.candidate_launches == 0.0) {
        delta.reason = delta.base_launches == 0.0 ? "new" : "gone";
    } else if (delta.of_step == 0.0) {
        delta.reason = steps.reasons->no_step;
    } else if (delta.of_step < kLeastShare) {
        delta.reason = steps.reasons->small;
    } else if (std::min(delta.base_ns.size(), delta.candidate_ns.size()) < kFewest) {
        delta.reason = steps.reasons->one_run;
    } else {
        delta.test =
            test_sampled(delta.base_ns, delta.candidate_ns, RankMethod::rank_sum, steps.alpha);
    }
}

KernelDelta delta_of(const SideKernel* base, const SideKernel* candidate, const Steps& steps) {
    const SideKernel& newest = candidate != nullptr ? *candidate : *base;
    KernelDelta delta;
    delta.op = newest.key.op;
    delta.placement = newest.key.placement;
    delta.name = std::string(newest.key.name);
    delta.is_kernel = newest.has_code;
    if (base != nullptr && base->key.name != newest.key.name) {
        delta.base_name = std::string(base->key.name);
    }
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
    test_kernel(delta, steps);
    return delta;
}

} // namespace

std::span<const std::string_view> fields_that_keep_work() {
    return kHow;
}

double step_of_kernels(const Side& side) {
    return whole_of(side, SideKernels(side));
}

std::vector<KernelDelta> kernel_deltas(const Side& base, const Side& candidate, double alpha) {
    const SideKernels first(base);
    const SideKernels second(candidate);
    if (first.runs() == 0 || second.runs() == 0) {
        return {};
    }
    const bool is_of_profiles = are_imported(base.runs) && are_imported(candidate.runs);
    const Steps steps{
        .base = whole_of(base, first),
        .candidate = whole_of(candidate, second),
        .change = untraced_change(base, candidate),
        .has_controls = has_same_program(base, candidate) && has_same_work(base, candidate),
        .alpha = alpha,
        .reasons = is_of_profiles ? &kOfProfiles : &kOfOwn};
    std::vector<KernelDelta> deltas;
    std::vector<const SideKernel*> alone;
    for (const SideKernel& kernel : second.all()) {
        alone.push_back(&kernel);
    }
    const std::vector<KernelPair> pairs = pairs_of(base, candidate, first, second);
    auto pair = pairs.begin();
    for (std::size_t i = 0; i < first.all().size(); ++i) {
        if (pair == pairs.end() || pair->base != i) {
            deltas.push_back(delta_of(&first.all()[i], nullptr, steps));
            continue;
        }
        deltas.push_back(
            delta_of(&first.all()[i], std::exchange(alone[pair->candidate], nullptr), steps)
        );
        deltas.back().match = pair->match;
        ++pair;
    }
    for (const SideKernel* kernel : alone) {
        if (kernel != nullptr) {
            deltas.push_back(delta_of(nullptr, kernel, steps));
        }
    }
    std::stable_sort(deltas.begin(), deltas.end(), [](const KernelDelta& a, const KernelDelta& b) {
        return std::abs(a.change_ns) > std::abs(b.change_ns);
    });
    return deltas;
}

} // namespace kvprof::analyzers
