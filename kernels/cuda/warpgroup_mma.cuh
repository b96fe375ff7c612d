#pragma once

#include "kernels/cuda/async_copy.cuh"

#include <cstdint>

/// wgmma: products of matrices in shared memory by the four warps of a warpgroup, with sums in
/// registers. sm_90a alone. Every operand lies in rows of 128 bytes whose 16-byte chunks are
/// swizzled (swizzled_128), eight rows to a group of 1,024 bytes that begins at a multiple of that.
/// Descriptors and fragments are those of the PTX manual.
namespace kvprof::kernels::cuda {

inline constexpr int kSwizzledRowBytes = 128;
inline constexpr int kSwizzledGroupBytes = 8 * kSwizzledRowBytes;

/// Where byte `byte` of row `row` lies, from the first group's start. A multiple of 16 bytes keeps
/// its chunk whole.
[[nodiscard]] __device__ inline int swizzled_128(int row, int byte) {
    return row * kSwizzledRowBytes + (byte ^ row % 8 * 16);
}

/// Names such an operand from `shared` on. The stride from one group of eight rows to the next is
/// 1,024 bytes: rows of M or N in a K-major operand, rows of K in an MN-major one. The other offset
/// (bits 16 to 29) plays no part, since a product takes one group's width of the long side: it is
/// the same, so that neither reading of the two can be wrong.
[[nodiscard]] __device__ inline std::uint64_t operand_at(const void* shared) {
    constexpr std::uint64_t kGroup = kSwizzledGroupBytes / 16;
    constexpr std::uint64_t kSwizzle128 = 1;
    return std::uint64_t{shared_address(shared) / 16} | kGroup << 16U | kGroup << 32U
           | kSwizzle128 << 62U;
}

/// The operand that begins `bytes` after another.
[[nodiscard]] __device__ constexpr std::uint64_t operand_after(std::uint64_t operand, int bytes) {
    return operand + static_cast<std::uint64_t>(bytes / 16);
}

/// Keeps the compiler's own accesses of registers on their side of this point.
template<int kCount>
__device__ inline void pin(float (&sums)[kCount]) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
        asm volatile("" : "+f"(sums[i])::"memory");
    }
}

/// Before the first product, and before one whose sums this warp has touched since.
__device__ inline void begin_products() {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

/// Waits for all products that this warp has begun.
__device__ inline void finish_products() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

/// sums[64 x 16] += a[64 x 16] * b[16 x 16], bf16 with fp32 sums. kIsMMajor: the rows of `a` in
/// shared memory are K's, 64 elements of M long; else they are M's. Rows of `b` are N's. Lane l of
/// warp w has rows w * 16 + l / 4 and 8 more of columns 8j + l % 4 * 2 and the next: at 4j those of
/// the first row, at 4j + 2 those of the second.
template<bool kIsMMajor>
__device__ inline void multiply_add(float (&sums)[8], std::uint64_t a, std::uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 "
                 "{%0,%1,%2,%3,%4,%5,%6,%7}, %8, %9, 1, 1, 1, %10, 0;"
                 : "+f"(sums[0]),
                   "+f"(sums[1]),
                   "+f"(sums[2]),
                   "+f"(sums[3]),
                   "+f"(sums[4]),
                   "+f"(sums[5]),
                   "+f"(sums[6]),
                   "+f"(sums[7])
                 : "l"(a), "l"(b), "n"(kIsMMajor ? 1 : 0)
                 : "memory");
}

/// The same for 32 columns.
template<bool kIsMMajor>
__device__ inline void multiply_add(float (&sums)[16], std::uint64_t a, std::uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 "
                 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15}, "
                 "%16, %17, 1, 1, 1, %18, 0;"
                 : "+f"(sums[0]),
                   "+f"(sums[1]),
                   "+f"(sums[2]),
                   "+f"(sums[3]),
                   "+f"(sums[4]),
                   "+f"(sums[5]),
                   "+f"(sums[6]),
                   "+f"(sums[7]),
                   "+f"(sums[8]),
                   "+f"(sums[9]),
                   "+f"(sums[10]),
                   "+f"(sums[11]),
                   "+f"(sums[12]),
                   "+f"(sums[13]),
                   "+f"(sums[14]),
                   "+f"(sums[15])
                 : "l"(a), "l"(b), "n"(kIsMMajor ? 1 : 0)
                 : "memory");
}

/// Stores four 8 x 8 matrices of bf16, each transposed: a lane holds two neighbours of a row, as
/// in the fragments above, and lane i gives the address of column i % 8 of matrix i / 8.
__device__ inline void store_matrices_transposed(void* column, const std::uint32_t (&matrices)[4]) {
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(
                     shared_address(column)
                 ),
                 "r"(matrices[0]),
                 "r"(matrices[1]),
                 "r"(matrices[2]),
                 "r"(matrices[3])
                 : "memory");
}

} // namespace kvprof::kernels::cuda
