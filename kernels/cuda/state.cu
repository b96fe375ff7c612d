#include "kernels/backend_rules.h"
#include "kernels/content.h"
#include "kernels/cuda/dispatch.cuh"
#include "kernels/cuda/items.cuh"
#include "kernels/cuda/state.h"

namespace kvprof::kernels::cuda {
namespace {

__global__ void __launch_bounds__(kItemThreads)
    state_slots_kernel(const __grid_constant__ StateSlotsCall call) {
    const auto lane = item_index();
    if (lane < call.batch) {
        call.out[lane] = static_cast<std::int32_t>(state_slot(call, lane));
    }
}

__global__ void __launch_bounds__(kItemThreads)
    state_words_kernel(const __grid_constant__ StateWordsCall call) {
    const auto lane = item_index();
    if (lane >= call.batch) {
        return;
    }
    const std::int64_t slot = call.slots[lane];
    auto* word = reinterpret_cast<std::uint64_t*>(call.states + slot * call.slot_bytes);
    if (!call.writes) {
        call.out[lane] = slot < 0 ? 0 : static_cast<std::int64_t>(*word);
    } else if (slot >= 0) {
        *word = content_key(call.seed, call.owners[lane], kStateWord);
    }
}

} // namespace

cudaError_t launch(const StateSlotsCall& call, cudaStream_t cuda_stream) {
    if (call.batch <= 0) {
        return cudaSuccess;
    }
    const auto shape = item_shape(call.batch);
    state_slots_kernel<<<grid_of(shape), shape.threads, 0, cuda_stream>>>(call);
    return cudaGetLastError();
}

cudaError_t launch(const StateWordsCall& call, cudaStream_t cuda_stream) {
    if (call.batch <= 0) {
        return cudaSuccess;
    }
    if (reinterpret_cast<std::uintptr_t>(call.states) % 8 != 0 || call.slot_bytes % 8 != 0) {
        return cudaErrorInvalidValue;
    }
    const auto shape = item_shape(call.batch);
    state_words_kernel<<<grid_of(shape), shape.threads, 0, cuda_stream>>>(call);
    return cudaGetLastError();
}

} // namespace kvprof::kernels::cuda
