#include "kernels/cuda/write_loc.h"

#include "kernels/host/write_loc.h"
#include "tests/support/device_vector.h"
#include "tests/support/index_buffer.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <random>

namespace {

using kvprof::kernels::IndexType;
using kvprof::kernels::WriteLocCall;
using kvprof::test::below;
using kvprof::test::DeviceVector;
using kvprof::test::IndexBuffer;
using kvprof::test::require_cuda;
namespace cuda = kvprof::kernels::cuda;
namespace host = kvprof::kernels::host;

struct WriteCase {
    std::int64_t page_size = 1;
    std::int64_t mult = 1;
    std::int64_t dcp = 1;
    std::int64_t rank = 0;
    std::int64_t count = 0;
    std::int64_t out_count = 0;
    IndexType v2p_type = IndexType::i64;
    std::uint32_t seed = 1;
};

/// 200 pages, a fifth of them unbound; ids are negative, resident or past the table.
struct WriteInputs {
    std::vector<std::int64_t> loc;
    IndexBuffer v2p;

    explicit WriteInputs(const WriteCase& write)
        : v2p(make_v2p(write.seed), write.v2p_type) {
        std::mt19937 random(write.seed + 1);
        const auto ids = 220 * write.page_size * write.dcp;
        for (std::int64_t i = 0; i < write.count; ++i) {
            const bool negative = below(random, 10) == 0;
            loc.push_back(negative ? -1 - below(random, 5) : below(random, ids));
        }
    }

    static std::vector<std::int64_t> make_v2p(std::uint32_t seed) {
        std::mt19937 random(seed);
        std::vector<std::int64_t> v2p{0};
        while (v2p.size() < 200) {
            v2p.push_back(below(random, 5) == 0 ? -1 : below(random, 4000) + 1);
        }
        return v2p;
    }
};

void expect_twins_agree(const WriteCase& write, bool in_place) {
    WriteInputs in(write);
    const auto size = static_cast<std::size_t>(std::max(write.count, write.out_count) + 4);
    std::vector<std::int64_t> out(size, -77);
    if (in_place) {
        std::copy(in.loc.begin(), in.loc.end(), out.begin());
    }
    const DeviceVector<std::int64_t> device_out(out);
    const DeviceVector<std::int64_t> device_loc(in.loc);
    const DeviceVector<std::uint8_t> device_v2p(in.v2p.bytes);
    WriteLocCall call{
        .loc = in_place ? out.data() : in.loc.data(),
        .v2p = {.data = in.v2p.bytes.data(), .type = write.v2p_type, .rows = 200},
        .mult = write.mult,
        .page_size = write.page_size,
        .count = write.count,
        .out = out.data(),
        .out_count = write.out_count,
        .dcp = write.dcp,
        .rank = write.rank,
    };
    host::run(call);
    call.loc = in_place ? device_out.data() : device_loc.data();
    call.v2p.data = device_v2p.data();
    call.out = device_out.data();
    require_cuda(cuda::launch(call, nullptr), "launch the write locations");
    EXPECT_EQ(device_out.host(), out) << "ps " << write.page_size << " dcp " << write.dcp;
}

TEST(WriteLocGpu, P8EqualsTheHostTwinForEveryPageSizeDcpSizeAndRank) {
    std::uint32_t seed = 1;
    for (const std::int64_t page_size : {1, 2, 3, 4, 16, 32, 64, 128}) {
        for (std::int64_t dcp = 1; dcp <= 4; ++dcp) {
            for (std::int64_t rank = 0; rank < dcp; ++rank) {
                ++seed;
                expect_twins_agree(
                    {.page_size = page_size,
                     .mult = seed % 3 == 0 ? 1 : 48,
                     .dcp = dcp,
                     .rank = rank,
                     .count = 1300,
                     .out_count = 1300,
                     .v2p_type = seed % 2 == 0 ? IndexType::i64 : IndexType::i32,
                     .seed = seed},
                    seed % 5 == 0
                );
            }
        }
    }
}

TEST(WriteLocGpu, P8ClearsTheTailOfAWiderOutput) {
    expect_twins_agree({.mult = 7, .count = 10, .out_count = 1100}, false);
    expect_twins_agree({.mult = 7, .count = 0, .out_count = 5}, false);
}

TEST(WriteLocGpu, P8WritesNoMoreThanTheOutputHolds) {
    expect_twins_agree({.mult = 7, .count = 10, .out_count = 6}, false);
    expect_twins_agree({.mult = 7, .count = 10, .out_count = 0}, false);
}

TEST(WriteLocGpu, P8TranslatesInPlace) {
    expect_twins_agree({.page_size = 4, .mult = 7, .count = 5000, .out_count = 5000}, true);
}

} // namespace
