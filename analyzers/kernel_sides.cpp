#include "analyzers/kernel_sides.h"

#include "analyzers/as_double.h"
#include "analyzers/imported_runs.h"
#include "analyzers/pass_times.h"
#include "capture/model/error.h"
#include "stats/median.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvprof::analyzers {

namespace {

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

KernelKey key_of(const KernelStat& stat) {
    return {stat.op, stat.placement, name_of(stat)};
}

std::vector<PairableKernel> pairable(const SideKernels& side) {
    std::vector<PairableKernel> kernels;
    for (const SideKernel& kernel : side.all()) {
        PairableKernel& one = kernels.emplace_back();
        one.name = kernel.key.name;
        one.grid = kernel.grid;
        one.block = kernel.block;
        one.launches = stats::median(kernel.launches);
        one.before = kernel.before;
        one.after = kernel.after;
    }
    return kernels;
}

ProfileSource source_of(const Side& side) {
    return side.runs.front().profile->source;
}

} // namespace

std::string full_name(const KernelStat& stat) {
    return std::string(stat.name.empty() ? name_of(stat) : std::string_view(stat.name));
}

SideKernels::SideKernels(const Side& side) {
    for (const Run& run : side.runs) {
        if (const PassResult* const pass = measured_pass(run, Pass::nodes)) {
            add(run, as_double(std::max<std::int64_t>(pass->steps, 1)));
        }
    }
    for (SideKernel& kernel : kernels_) {
        for (auto* values : {&kernel.ns, &kernel.launches, &kernel.work}) {
            values->resize(runs_, 0.0);
        }
    }
}

std::optional<std::size_t> SideKernels::find(const KernelKey& key) const {
    const auto found = places_.find(key);
    return found == places_.end() ? std::nullopt : std::optional(found->second);
}

void SideKernels::add(const Run& run, double steps) {
    const std::size_t place = runs_++;
    for (const KernelStat& stat : run.kernels) {
        const KernelKey key = key_of(stat);
        const auto [found, is_new] = places_.try_emplace(key, kernels_.size());
        if (is_new) {
            SideKernel& kernel = kernels_.emplace_back();
            kernel.key = key;
            kernel.grid = stat.grid;
            kernel.block = stat.block;
        }
        SideKernel& kernel = kernels_[found->second];
        for (auto* values : {&kernel.ns, &kernel.launches, &kernel.work}) {
            values->resize(place + 1, 0.0);
        }
        kernel.ns[place] += as_double(stat.time) / steps;
        kernel.launches[place] += as_double(stat.launches) / steps;
        kernel.work[place] += as_double(stat.blocks_with_work.value_or(0)) / steps;
        kernel.geometries.emplace(stat.grid, stat.block);
        kernel.has_code = stat.kind == ActivityKind::kernel;
    }
    if (is_imported(run)) {
        add_neighbours(run);
    }
}

/// Of the first run that has some.
void SideKernels::add_neighbours(const Run& run) {
    const auto place_of = [&](std::optional<std::int64_t> kernel) -> std::optional<std::size_t> {
        if (!kernel) {
            return std::nullopt;
        }
        const auto at = static_cast<std::size_t>(*kernel); // of a negative one beyond all
        if (at >= run.kernels.size()) {
            throw BadDataError(fmt::format(
                "could not compare run {}: its neighbours name kernel {} of {}",
                run.uuid,
                *kernel,
                run.kernels.size()
            ));
        }
        return find(key_of(run.kernels[at]));
    };
    for (const KernelNeighbours& one : run.profile->neighbours) {
        SideKernel& kernel = kernels_[*place_of(one.kernel)];
        if (!kernel.before && !kernel.after) {
            kernel.before = place_of(one.before);
            kernel.after = place_of(one.after);
        }
    }
}

std::vector<KernelPair> pairs_of(
    const Side& base, const Side& candidate, const SideKernels& first, const SideKernels& second
) {
    if (are_imported(base.runs) && are_imported(candidate.runs)) {
        return pair_kernels(
            pairable(first), pairable(second), source_of(base) == source_of(candidate)
        );
    }
    std::vector<KernelPair> pairs;
    for (std::size_t i = 0; i < first.all().size(); ++i) {
        if (const auto other = second.find(first.all()[i].key)) {
            pairs.push_back({i, *other, KernelMatch::name});
        }
    }
    return pairs;
}

} // namespace kvprof::analyzers
