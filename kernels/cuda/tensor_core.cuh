#pragma once

#include <cuda_bf16.h>

#include <cstdint>

/// The few instructions of a tensor-core kernel that CUDA C++ has no name for. Fragment layouts are
/// those of the PTX manual, `mma.m16n8k16` with bf16 operands.
namespace kvprof::kernels::cuda {

/// Loads four 8x8 matrices of bf16; lane i gives the address of row i % 8 of matrix i / 8.
__device__ inline void load_matrices(std::uint32_t (&out)[4], const __nv_bfloat16* row) {
    const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
                 : "r"(address)
                 : "memory");
}

/// The same, each matrix transposed.
__device__ inline void load_matrices_transposed(std::uint32_t (&out)[4], const __nv_bfloat16* row) {
    const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
                 : "r"(address)
                 : "memory");
}

/// sums[16x8] += a[16x16] * b[16x8]. Not volatile: the compiler moves loads of the next step ahead.
__device__ inline void
multiply_add(float (&sums)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

} // namespace kvprof::kernels::cuda
