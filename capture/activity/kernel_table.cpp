#include "capture/activity/kernel_table.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>

namespace kvprof::activity {

namespace {

auto identity_of(const Shape& shape) {
    return std::tuple(
        shape.kind,
        shape.copy,
        std::string_view(shape.name),
        shape.grid,
        shape.block,
        shape.registers,
        shape.static_shared_bytes,
        shape.dynamic_shared_bytes,
        shape.local_bytes
    );
}

KernelStat kernel_of(OpSlot op, const Shape& shape) {
    KernelStat kernel{
        .op = op_of(op),
        .placement = placement_of(op),
        .kind = shape.kind,
        .copy = shape.copy,
        .name = shape.name,
        .grid = shape.grid,
        .block = shape.block,
        .registers = shape.registers,
        .static_shared_bytes = shape.static_shared_bytes,
        .dynamic_shared_bytes = shape.dynamic_shared_bytes,
        .local_bytes = shape.local_bytes};
    if (shape.kind == ActivityKind::kernel) {
        kernel.blocks_with_work = 0;
    }
    return kernel;
}

} // namespace

std::string demangle(const std::string& name) {
    if (!name.starts_with("_Z")) {
        return name;
    }
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free
    );
    return text ? std::string(text.get()) : name;
}

KernelTable::KernelTable(const std::vector<Shape>& shapes)
    : shapes_(shapes) {
    std::map<decltype(identity_of(shapes.front())), std::uint32_t> classes;
    for (const Shape& shape : shapes) {
        const auto next = static_cast<std::uint32_t>(classes.size());
        class_of_shape_.push_back(classes.try_emplace(identity_of(shape), next).first->second);
    }
    kernel_of_.resize(classes.size() * kOpSlots, kNoIndex);
}

std::uint32_t KernelTable::index_of(OpSlot op, std::uint32_t shape) {
    std::uint32_t& kernel = kernel_of_[class_of_shape_[shape] * kOpSlots + op];
    if (kernel == kNoIndex) {
        kernel = static_cast<std::uint32_t>(kernels_.size());
        kernels_.push_back(activity::kernel_of(op, shapes_[shape]));
    }
    return kernel;
}

void KernelTable::add(std::uint32_t kernel, std::chrono::nanoseconds duration) {
    KernelStat& stat = kernels_[kernel];
    stat.shortest = stat.launches == 0 ? duration : std::min(stat.shortest, duration);
    stat.longest = std::max(stat.longest, duration);
    stat.time += duration;
    ++stat.launches;
}

bool KernelTable::wants_live_blocks(std::uint32_t kernel) const {
    return kernels_[kernel].blocks_with_work.has_value();
}

void KernelTable::add_live_blocks(std::uint32_t kernel, std::optional<std::int64_t> blocks) {
    std::optional<std::int64_t>& sum = kernels_[kernel].blocks_with_work;
    sum = blocks ? std::optional(*sum + *blocks) : std::nullopt;
}

std::vector<KernelStat> KernelTable::take() {
    for (KernelStat& kernel : kernels_) {
        kernel.name = demangle(kernel.name);
        kernel.blocks = kernel.grid[0] * kernel.grid[1] * kernel.grid[2] * kernel.launches;
    }
    std::ranges::fill(kernel_of_, kNoIndex);
    return std::exchange(kernels_, {});
}

} // namespace kvprof::activity
