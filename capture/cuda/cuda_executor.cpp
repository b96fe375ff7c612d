#include "capture/cuda/cuda_executor.h"

#include "capture/cuda/cuda_check.h"
#include "capture/cuda/cuda_step.h"
#include "capture/cuda/memory_life.h"
#include "capture/foreign_processes.h"
#include "capture/host_facts.h"
#include "capture/machine_facts.h"
#include "capture/model/error.h"
#include "capture/probe.h"

#include <fmt/format.h>

#include <string>

namespace kvprof::cuda {

namespace {

/// "GPU-xxxxxxxx-xxxx-...": the form that NVML and nvidia-smi print.
std::string uuid_text(const cudaUUID_t& uuid) {
    std::string text = "GPU-";
    for (int i = 0; i < 16; ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) {
            text += '-';
        }
        text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
    }
    return text;
}

} // namespace

CudaExecutor::CudaExecutor(int device) {
    int count = 0;
    const auto result = cudaGetDeviceCount(&count);
    if (result != cudaSuccess) {
        throw UnavailableError(
            fmt::format(
                "could not use --executor cuda: no GPU: {}: {}",
                cudaGetErrorName(result),
                cudaGetErrorString(result)
            ),
            "use --executor host, or see kvprof doctor"
        );
    }
    if (device >= count) {
        throw UnavailableError(
            fmt::format(
                "could not use --device {}: this machine has {} CUDA devices", device, count
            ),
            "devices count from 0"
        );
    }
    check(cudaSetDevice(device), fmt::format("open device {}", device));
    check(cudaFree(nullptr), fmt::format("start CUDA on device {}", device));
    check(cudaGetDeviceProperties(&properties_, device), "read the device's properties");
    uuid_ = uuid_text(properties_.uuid);
    try {
        nvml_ = std::make_shared<const Nvml>();
        nvml_version_ = fmt::format("driver {}", nvml_->driver_version());
    } catch (const UnavailableError& error) {
        nvml_version_ = fmt::format("not found: {}", error.what());
    }
}

ReadDevice CudaExecutor::watcher() const {
    return device_reader(uuid_);
}

Environment CudaExecutor::environment() const {
    const DeviceRoom room = device_room();
    int runtime = 0;
    check(cudaRuntimeGetVersion(&runtime), "read the runtime's version");
    const HostFacts facts = host_facts();
    Environment environment{
        .executor = "cuda",
        .device_name = properties_.name,
        .device_uuid = uuid_,
        .compute_capability = fmt::format("{}.{}", properties_.major, properties_.minor),
        .sm_count = properties_.multiProcessorCount,
        .device_memory_bytes = room.total.count,
        .device_free_bytes = room.free.count,
        .driver = find_driver().text,
        .cuda_runtime = cuda_version(runtime),
        .cupti = find_cupti().text,
        .nvml = nvml_version_,
        .cpu_model = facts.cpu_model,
        .cpu_count = facts.cpu_count,
        .hostname = facts.hostname,
        .os = facts.os,
    };
    add_machine_facts(environment, uuid_);
    environment.foreign = foreign_processes(environment.device_uuid, "before");
    return environment;
}

void CudaExecutor::require_room(const workload::StepPlan& plan) const {
    const DeviceRoom room = device_room();
    Bytes asked;
    for (const workload::BufferSpec& buffer : plan.buffers) {
        asked += Bytes{buffer.bytes()};
    }
    if (asked > room.free) {
        throw UnavailableError(
            fmt::format(
                "could not hold the step: {} asked ({} for the KV pool), {} of {} device memory "
                "free",
                format_bytes(asked),
                format_bytes(Bytes{plan.micro_op ? 0 : plan.kv_bytes}),
                format_bytes(room.free),
                format_bytes(room.total)
            ),
            "lower --batch, --seq-len, --pool-tokens or --max-context, or raise --tp"
        );
    }
}

std::unique_ptr<PreparedStep> CudaExecutor::prepare(
    const workload::StepPlan& plan, const workload::InitialState& state, const MeasureSpec& how
) {
    return std::make_unique<CudaStep>(plan, state, how);
}

MemoryLife CudaExecutor::memory_life(
    const workload::StepPlan& plan, const workload::InitialState& state, const MeasureSpec& how
) {
    return cuda::memory_life(plan, state, how, uuid_);
}

} // namespace kvprof::cuda
