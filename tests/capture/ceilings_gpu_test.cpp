#include "capture/ceilings.h"

#include "capture/cuda/device_memory.h"
#include "capture/model/error.h"
#include "kernels/cuda/ceilings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

using namespace kvprof;

TEST(MeasureCeilings, GivesWhatADeviceCanBeAndItsMemoryBack) {
    cudaFree(nullptr);
    const Bytes before = cuda::device_room().free;
    const Ceilings ceilings = measure_ceilings(0);
    EXPECT_GE(cuda::device_room().free + Bytes{std::int64_t{64} << 20}, before);
    EXPECT_TRUE(ceilings.device_uuid.starts_with("GPU-"));
    EXPECT_NE(ceilings.driver, "");
    EXPECT_EQ(ceilings.measured_at, "");
    EXPECT_GT(ceilings.node_ns, 100.0);
    EXPECT_LT(ceilings.node_ns, 10'000.0);
    bool has_memory = false;
    for (const CopyCeiling& copy : ceilings.copies) {
        has_memory = has_memory || copy.kind == CeilingKind::hbm;
        EXPECT_GT(copy.bytes_per_s, 1e11);
        EXPECT_LT(copy.bytes_per_s, 1e14);
    }
    EXPECT_TRUE(has_memory);
}

TEST(MeasureCeilings, SaysWhatItLacks) {
    EXPECT_THROW(static_cast<void>(measure_ceilings(64)), UnavailableError);
}

TEST(LaunchCopy, CopiesAllBytesAndNoMore) {
    // 1,025 vectors: one more than a block's share, and a guard after them.
    constexpr std::int64_t kCopied = 1025 * 16;
    std::vector<std::uint8_t> from(kCopied + 16);
    for (std::size_t i = 0; i < from.size(); ++i) {
        from[i] = static_cast<std::uint8_t>(i * 7 + 1);
    }
    std::vector<std::uint8_t> to(from.size(), 0xEE);
    const auto source = cuda::allocate("source", Bytes{kCopied + 16});
    const auto target = cuda::allocate("target", Bytes{kCopied + 16});
    cudaMemcpy(source.get(), from.data(), from.size(), cudaMemcpyHostToDevice);
    cudaMemcpy(target.get(), to.data(), to.size(), cudaMemcpyHostToDevice);
    ASSERT_EQ(
        kernels::cuda::launch_copy(target.get(), source.get(), kCopied, nullptr), cudaSuccess
    );
    ASSERT_EQ(cudaMemcpy(to.data(), target.get(), to.size(), cudaMemcpyDeviceToHost), cudaSuccess);
    std::fill(from.begin() + kCopied, from.end(), 0xEE);
    EXPECT_EQ(to, from);
    EXPECT_EQ(
        kernels::cuda::launch_copy(target.get(), source.get(), 24, nullptr), cudaErrorInvalidValue
    );
}

} // namespace
