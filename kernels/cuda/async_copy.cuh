#pragma once

#include <cuda_bf16.h>

#include <cstdint>

/// Copies to shared memory that run in the background, and the barriers on which they arrive. The
/// instructions are those of the PTX manual; what needs Hopper is marked.
namespace kvprof::kernels::cuda {

__device__ inline std::uint32_t shared_address(const void* shared) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
}

/// Copies 16 bytes.
__device__ inline void copy_async_16(void* shared, const void* global) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(shared)),
                 "l"(global)
                 : "memory");
}

/// Ends a group of this thread's 16-byte copies; groups may be empty.
__device__ inline void end_copy_group() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/// Waits for all of this thread's groups but the newest kNewest.
template<int kNewest>
__device__ inline void wait_for_copy_groups() {
    asm volatile("cp.async.wait_group %0;" ::"n"(kNewest) : "memory");
}

/// A barrier in shared memory that ends a phase when its arrivals, and the bytes that they
/// announced, are there.
struct CopyBarrier {
    std::uint64_t state;

    __device__ void set_up(int arrivals) {
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(this)), "r"(arrivals)
                     : "memory");
    }

    /// Arrives with what this thread has written itself.
    __device__ void arrive() {
        [[maybe_unused]] std::uint64_t phase = 0;
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
                     : "=l"(phase)
                     : "r"(shared_address(this))
                     : "memory");
    }

    /// Arrives when this thread's 16-byte copies have.
    __device__ void arrive_with_copies() {
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_address(this))
                     : "memory");
    }

    /// Waits for the end of the phase of this parity; the first one has parity 0.
    __device__ void wait(std::uint32_t parity) {
        std::uint32_t is_over = 0;
        while (is_over == 0) {
#if __CUDA_ARCH__ >= 900
            asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; "
#else
            asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; "
#endif
                         "selp.u32 %0, 1, 0, p; }"
                         : "=r"(is_over)
                         : "r"(shared_address(this)), "r"(parity)
                         : "memory");
        }
    }

#if __CUDA_ARCH__ >= 900
    /// Arrives, and announces bytes of bulk copies. Hopper's.
    __device__ void arrive_announcing(std::uint32_t bytes) {
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(this)
                     ),
                     "r"(bytes)
                     : "memory");
    }
#endif
};

#if __CUDA_ARCH__ >= 900
/// One thread copies `bytes`, a multiple of 16 between addresses that are, and `barrier` counts
/// them.
__device__ inline void
copy_bulk(void* shared, const void* global, std::uint32_t bytes, CopyBarrier& barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(shared_address(shared)),
                 "l"(global),
                 "r"(bytes),
                 "r"(shared_address(&barrier))
                 : "memory");
}
#endif

/// Between accesses of shared memory by threads, 16-byte copies included, and those of the async
/// proxy: bulk copies and wgmma. A barrier hands it on to other threads.
__device__ inline void fence_async_proxy() {
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

} // namespace kvprof::kernels::cuda
