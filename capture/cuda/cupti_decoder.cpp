#include "capture/cuda/cupti_decoder.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace kvprof::cuda {

namespace {

using activity::Record;
using activity::Shape;

// Later versions of CUPTI 13 append members: these prefixes stay readable, another size here does
// not.
static_assert(sizeof(CUpti_ActivityKernel10) == 216);
static_assert(sizeof(CUpti_ActivityMemcpy6) == 96);
static_assert(sizeof(CUpti_ActivityMemcpyPtoP4) == 96);
static_assert(sizeof(CUpti_ActivityMemset4) == 88);
static_assert(sizeof(CUpti_ActivityGraphTrace2) == 56);
static_assert(sizeof(CUpti_ActivityOverhead3) == 56);

CopyKind copy_kind(std::uint8_t kind) {
    switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD: return CopyKind::host_to_device;
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH: return CopyKind::device_to_host;
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD: return CopyKind::device_to_device;
    default: return CopyKind::other;
    }
}

template<typename T>
const T& as(const CUpti_Activity& record) {
    return reinterpret_cast<const T&>(record);
}

/// The members that kernels, copies and fills share; the shape comes later.
template<typename T>
Record record_of(const T& from) {
    return {
        .start = from.start,
        .end = from.end,
        .node = from.graphNodeId,
        .correlation = from.correlationId,
        .shape = 0,
        .stream = from.streamId};
}

} // namespace

std::size_t RecordDecoder::FormHash::operator()(const Form& form) const noexcept {
    std::uint64_t hash = reinterpret_cast<std::uintptr_t>(form.name) + form.bytes;
    const auto mix = [&hash](std::int32_t value) {
        hash = (hash ^ static_cast<std::uint32_t>(value)) * 0x9E37'79B9'7F4A'7C15U;
    };
    std::for_each(form.grid.begin(), form.grid.end(), mix);
    std::for_each(form.block.begin(), form.block.end(), mix);
    mix(form.dynamic_shared);
    return hash ^ (hash >> 32U);
}

std::uint32_t RecordDecoder::intern(const Form& form) {
    if (const auto found = shape_of_.find(form); found != shape_of_.end()) {
        return found->second;
    }
    const char* name = form.name == nullptr ? "kernel without a name" : form.name;
    Shape shape{
        .kind = form.kind,
        .copy = form.copy,
        .name = name,
        .grid = {form.grid[0], form.grid[1], form.grid[2]},
        .block = {form.block[0], form.block[1], form.block[2]},
        .registers = form.registers,
        .static_shared_bytes = form.static_shared,
        .dynamic_shared_bytes = form.dynamic_shared,
        .local_bytes = form.local,
        .bytes = static_cast<std::int64_t>(form.bytes)};
    // The same name may lie at two addresses.
    auto& shapes = decoded_.shapes;
    const auto same = std::find(shapes.begin(), shapes.end(), shape);
    const auto index = static_cast<std::uint32_t>(same - shapes.begin());
    if (same == shapes.end()) {
        shapes.push_back(std::move(shape));
    }
    shape_of_.emplace(form, index);
    return index;
}

void RecordDecoder::add(const Form& form, Record record) {
    const std::uint64_t place = record.node != 0 ? record.node + (record.node >> 32U) * 1021
                                                 : reinterpret_cast<std::uintptr_t>(form.name) / 16;
    Seen& seen = cache_[place % kCacheSize];
    if (!seen.is_set || seen.form != form) {
        seen = {.form = form, .shape = intern(form), .is_set = true};
    }
    record.shape = seen.shape;
    decoded_.records.append(record);
}

void RecordDecoder::decode_kernel(const CUpti_ActivityKernel10& kernel) {
    const Form form{
        .name = kernel.name,
        .grid = {kernel.gridX, kernel.gridY, kernel.gridZ},
        .block = {kernel.blockX, kernel.blockY, kernel.blockZ},
        .static_shared = kernel.staticSharedMemory,
        .dynamic_shared = kernel.dynamicSharedMemory,
        .local = kernel.localMemoryPerThread,
        .registers = kernel.registersPerThread,
        .kind = ActivityKind::kernel};
    add(form, record_of(kernel));
}

void RecordDecoder::decode(const CUpti_Activity& record) {
    // Not a switch: 56 kinds exist, and a newer library has more.
    const CUpti_ActivityKind kind = record.kind;
    if (kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
        decode_kernel(as<CUpti_ActivityKernel10>(record));
    } else if (kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
        const auto& copy = as<CUpti_ActivityMemcpy6>(record);
        const Form form{
            .name = "memory copy",
            .bytes = copy.bytes,
            .kind = ActivityKind::memory_copy,
            .copy = copy_kind(copy.copyKind)};
        add(form, record_of(copy));
    } else if (kind == CUPTI_ACTIVITY_KIND_MEMCPY2) {
        const auto& copy = as<CUpti_ActivityMemcpyPtoP4>(record);
        const Form form{
            .name = "memory copy",
            .bytes = copy.bytes,
            .kind = ActivityKind::memory_copy,
            .copy = CopyKind::other};
        add(form, record_of(copy));
    } else if (kind == CUPTI_ACTIVITY_KIND_MEMSET) {
        const auto& fill = as<CUpti_ActivityMemset4>(record);
        const Form form{
            .name = "memory set", .bytes = fill.bytes, .kind = ActivityKind::memory_set};
        add(form, record_of(fill));
    } else if (kind == CUPTI_ACTIVITY_KIND_GRAPH_TRACE) {
        const auto& span = as<CUpti_ActivityGraphTrace2>(record);
        decoded_.spans.push_back({span.start, span.end, span.correlationId});
    } else if (kind == CUPTI_ACTIVITY_KIND_OVERHEAD) {
        std::free(as<CUpti_ActivityOverhead3>(record).overheadData);
    } else {
        ++decoded_.unknown_kinds;
    }
}

void RecordDecoder::decode_buffer(const CuptiApi& api, std::uint8_t* data, std::size_t valid) {
    CUpti_Activity* record = nullptr;
    CUptiResult result =
        valid == 0 ? CUPTI_ERROR_MAX_LIMIT_REACHED : api.get_next_record(data, valid, &record);
    while (result == CUPTI_SUCCESS) {
        decode(*record);
        result = api.get_next_record(data, valid, &record);
    }
    if (result != CUPTI_ERROR_MAX_LIMIT_REACHED) {
        ++decoded_.broken_buffers;
    }
}

Decoded RecordDecoder::take() {
    shape_of_.clear();
    std::fill(cache_.begin(), cache_.end(), Seen{});
    return std::exchange(decoded_, {});
}

} // namespace kvprof::cuda
