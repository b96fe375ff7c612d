#include "capture/cuda/memory_readings.h"

#include "capture/cuda/cuda_check.h"
#include "capture/cuda/device_memory.h"
#include "capture/foreign_processes.h"
#include "capture/model/error.h"
#include "capture/process_memory.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace kvprof::cuda {

namespace {

Bytes graph_attribute(int device, cudaGraphMemAttributeType attribute) {
    std::uint64_t value = 0;
    check(cudaDeviceGetGraphMemAttribute(device, attribute, &value), "read the graphs' memory");
    return {static_cast<std::int64_t>(value)};
}

void reset_graph_highs(int device) {
    for (const auto attribute : {cudaGraphMemAttrUsedMemHigh, cudaGraphMemAttrReservedMemHigh}) {
        std::uint64_t zero = 0; // the only value that the driver takes
        check(
            cudaDeviceSetGraphMemAttribute(device, attribute, &zero),
            "reset the graphs' high-water marks"
        );
    }
}

cudaMemPool_t default_pool(int device) {
    cudaMemPool_t pool = nullptr;
    check(cudaDeviceGetDefaultMemPool(&pool, device), "open the device's default memory pool");
    return pool;
}

Bytes pool_attribute(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
    std::uint64_t value = 0;
    check(cudaMemPoolGetAttribute(pool, attribute, &value), "read the default memory pool");
    return {static_cast<std::int64_t>(value)};
}

std::unique_ptr<Nvml> open_nvml() {
    try {
        return std::make_unique<Nvml>();
    } catch (const UnavailableError&) {
        return nullptr;
    }
}

} // namespace

GraphMemory graph_memory(int device) {
    return {
        .used = graph_attribute(device, cudaGraphMemAttrUsedMemCurrent),
        .used_high = graph_attribute(device, cudaGraphMemAttrUsedMemHigh),
        .reserved = graph_attribute(device, cudaGraphMemAttrReservedMemCurrent),
        .reserved_high = graph_attribute(device, cudaGraphMemAttrReservedMemHigh),
    };
}

void settle(int device) {
    check(cudaDeviceSynchronize(), "wait for the device");
    check(cudaDeviceGraphMemTrim(device), "trim the graphs' memory");
    check(cudaMemPoolTrimTo(default_pool(device), 0), "trim the default memory pool");
}

MarkReader::MarkReader(int device, std::string device_uuid)
    : device_(device),
      device_uuid_(std::move(device_uuid)),
      nvml_(open_nvml()) {
    reset_graph_highs(device);
    readings_.reserve(256); // growing in between would show as host memory
}

void MarkReader::add(MemoryMark mark, MemorySource source, Bytes bytes) {
    readings_.push_back({mark, source, bytes});
}

void MarkReader::read(MemoryMark mark, Bytes ledger) {
    using Source = MemorySource;
    const Bytes free = device_room().free;
    if (!free_at_first_) {
        free_at_first_ = free;
    }
    add(mark, Source::ledger, ledger);
    add(mark, Source::device_free, *free_at_first_ - free);
    read_nvml(mark);
    const GraphMemory graphs = graph_memory(device_);
    add(mark, Source::graph_used, graphs.used);
    add(mark, Source::graph_used_high, graphs.used_high);
    add(mark, Source::graph_reserved, graphs.reserved);
    add(mark, Source::graph_reserved_high, graphs.reserved_high);
    const cudaMemPool_t pool = default_pool(device_);
    add(mark, Source::pool_used, pool_attribute(pool, cudaMemPoolAttrUsedMemCurrent));
    add(mark, Source::pool_reserved, pool_attribute(pool, cudaMemPoolAttrReservedMemCurrent));
    if (const auto resident = resident_memory()) {
        add(mark, Source::host_resident, *resident);
    }
}

void MarkReader::read_nvml(MemoryMark mark) {
    if (nvml_ == nullptr) {
        return;
    }
    if (const auto used = nvml_->read_state(device_uuid_, to_string(mark)).used_bytes) {
        add(mark, MemorySource::device_used_nvml, Bytes{*used});
    }
    const Company company = company_on(*nvml_, device_uuid_, to_string(mark));
    if (company.own_bytes) {
        add(mark, MemorySource::process_used_nvml, Bytes{*company.own_bytes});
    }
}

void MarkReader::add_peak(MemoryMark mark, Bytes least_free) {
    Bytes peak = std::max(Bytes{}, free_at_first_.value() - least_free);
    for (const MarkReading& reading : readings_) {
        if (reading.source == MemorySource::device_free) {
            peak = std::max(peak, reading.bytes);
        }
    }
    add(mark, MemorySource::device_free_peak, peak);
}

} // namespace kvprof::cuda
