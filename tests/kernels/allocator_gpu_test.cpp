#include "kernels/cuda/allocator.h"

#include "kernels/host/allocator.h"
#include "tests/support/device_vector.h"
#include "tests/support/index_buffer.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace {

using kvprof::kernels::AllocBindCall;
using kvprof::kernels::AllocDecodeCall;
using kvprof::kernels::BindCall;
using kvprof::kernels::FreeUnbindCall;
using kvprof::kernels::IndexType;
using kvprof::kernels::V2p;
using kvprof::kernels::ZeroPagesCall;
using kvprof::test::below;
using kvprof::test::DeviceVector;
using kvprof::test::IndexBuffer;
using kvprof::test::require_cuda;
namespace cuda = kvprof::kernels::cuda;
namespace host = kvprof::kernels::host;

constexpr std::int64_t kPages = 4000;

/// Both tables, on the host and on the device, and pages to bind: shuffled 1 .. kPages - 1. p2v has
/// a guard element in front of its first page.
struct Tables {
    std::mt19937 random{9}; // first: the lists below draw from it
    IndexBuffer v2p;
    std::vector<std::int64_t> p2v;
    DeviceVector<std::uint8_t> device_v2p;
    DeviceVector<std::int64_t> device_p2v;
    std::vector<std::int64_t> free_vpages;
    std::vector<std::int64_t> free_ppages;

    explicit Tables(IndexType type)
        : v2p(unbound(), type),
          p2v(guarded(unbound())),
          device_v2p(v2p.bytes),
          device_p2v(p2v),
          free_vpages(shuffled()),
          free_ppages(shuffled()) {}

    static std::vector<std::int64_t> unbound() {
        std::vector<std::int64_t> pages(kPages + 1, -1);
        pages[0] = 0;
        return pages;
    }

    static std::vector<std::int64_t> guarded(std::vector<std::int64_t> table) {
        table.insert(table.begin(), 555);
        return table;
    }

    std::vector<std::int64_t> shuffled() {
        std::vector<std::int64_t> pages(kPages - 1);
        std::iota(pages.begin(), pages.end(), std::int64_t{1});
        std::shuffle(pages.begin(), pages.end(), random);
        return pages;
    }

    std::int64_t* host_p2v() { return p2v.data() + 1; }

    std::int64_t* p2v_on_device() const { return device_p2v.data() + 1; }

    V2p host_v2p() { return {.data = v2p.bytes.data(), .type = v2p.type, .rows = kPages + 1}; }

    V2p on_device() const {
        return {.data = device_v2p.data(), .type = v2p.type, .rows = kPages + 1};
    }

    void expect_equal() const {
        EXPECT_EQ(device_v2p.host(), v2p.bytes);
        EXPECT_EQ(device_p2v.host(), p2v);
    }
};

std::vector<std::int64_t> take(std::vector<std::int64_t>& list, std::size_t count) {
    const auto end = list.begin() + static_cast<std::ptrdiff_t>(count);
    std::vector<std::int64_t> taken(list.begin(), end);
    list.erase(list.begin(), end);
    return taken;
}

std::int64_t length(const std::vector<std::int64_t>& list) {
    return static_cast<std::int64_t>(list.size());
}

void bind_by_both(
    Tables& tables, const std::vector<std::int64_t>& vpages, const std::vector<std::int64_t>& ppages
) {
    const DeviceVector<std::int64_t> device_vpages(vpages);
    const DeviceVector<std::int64_t> device_ppages(ppages);
    host::run(BindCall{
        .vpages = vpages.data(),
        .ppages = ppages.data(),
        .count = length(vpages),
        .v2p = tables.host_v2p(),
        .p2v = tables.host_p2v(),
    });
    const BindCall call{
        .vpages = device_vpages.data(),
        .ppages = device_ppages.data(),
        .count = length(vpages),
        .v2p = tables.on_device(),
        .p2v = tables.p2v_on_device(),
    };
    require_cuda(cuda::launch(call, nullptr), "launch bind");
    tables.expect_equal();
}

/// Frees by both twins; gives back the physical pages.
std::vector<std::int64_t> free_by_both(Tables& tables, const std::vector<std::int64_t>& vpages) {
    std::vector<std::int64_t> out(vpages.size() + 3, -77);
    const DeviceVector<std::int64_t> device_out(out);
    const DeviceVector<std::int64_t> device_vpages(vpages);
    host::run(FreeUnbindCall{
        .vpages = vpages.data(),
        .count = length(vpages),
        .v2p = tables.host_v2p(),
        .p2v = tables.host_p2v(),
        .out = out.data(),
    });
    const FreeUnbindCall call{
        .vpages = device_vpages.data(),
        .count = length(vpages),
        .v2p = tables.on_device(),
        .p2v = tables.p2v_on_device(),
        .out = device_out.data(),
    };
    require_cuda(cuda::launch(call, nullptr), "launch free_unbind");
    EXPECT_EQ(device_out.host(), out);
    tables.expect_equal();
    out.resize(vpages.size());
    return out;
}

void round_trip(IndexType type) {
    Tables tables(type);
    std::vector<std::int64_t> bound;
    for (int round = 0; round < 20; ++round) {
        const auto taken = std::min<std::size_t>(tables.random() % 700, tables.free_vpages.size());
        const auto vpages = take(tables.free_vpages, taken);
        bind_by_both(tables, vpages, take(tables.free_ppages, taken));
        bound.insert(bound.end(), vpages.begin(), vpages.end());

        std::shuffle(bound.begin(), bound.end(), tables.random);
        const auto freed = take(bound, tables.random() % (bound.size() + 1));
        const auto ppages = free_by_both(tables, freed);
        EXPECT_EQ(std::count(ppages.begin(), ppages.end(), -1), 0);
        tables.free_vpages.insert(tables.free_vpages.end(), freed.begin(), freed.end());
        tables.free_ppages.insert(tables.free_ppages.end(), ppages.begin(), ppages.end());
    }
}

TEST(AllocatorGpu, P9TwentyRoundsOfBindAndFreeLeaveTheHostTwinsTables) {
    round_trip(IndexType::i64);
    round_trip(IndexType::i32);
}

TEST(AllocatorGpu, P10FreeingAnUnboundPageWritesNoInverseEntry) {
    Tables tables(IndexType::i64);
    bind_by_both(tables, {5}, {8});
    EXPECT_EQ(free_by_both(tables, {7, 5, 9}), (std::vector<std::int64_t>{-1, 8, -1}));
}

TEST(AllocatorGpu, P10ATombstoneAndAPageWithoutARowBindNothing) {
    Tables tables(IndexType::i64);
    bind_by_both(tables, {5, kPages + 1, 6}, {-1, 4, 9});
    EXPECT_EQ(free_by_both(tables, {5, kPages + 1, 6}), (std::vector<std::int64_t>{-1, -1, 9}));
}

TEST(AllocatorGpu, P9AllocBindTakesAnAscendingRun) {
    Tables tables(IndexType::i64);
    const auto vpages = take(tables.free_vpages, 300);
    std::vector<std::int64_t> out(303, -77);
    const DeviceVector<std::int64_t> device_out(out);
    const DeviceVector<std::int64_t> device_vpages(vpages);
    AllocBindCall call{
        .vpages = vpages.data(),
        .count = 300,
        .start = 40,
        .v2p = tables.host_v2p(),
        .p2v = tables.host_p2v(),
        .out = out.data(),
    };
    host::run(call);
    call.vpages = device_vpages.data();
    call.v2p = tables.on_device();
    call.p2v = tables.p2v_on_device();
    call.out = device_out.data();
    require_cuda(cuda::launch(call, nullptr), "launch alloc_bind");
    tables.expect_equal();
    EXPECT_EQ(device_out.host(), out);
}

TEST(AllocatorGpu, AllocDecodeEqualsTheHostTwin) {
    std::mt19937 random(4);
    for (const std::int64_t page_size : {1, 3, 16, 64}) {
        for (const std::int64_t batch : {1, 127, 128, 129, 300, 1000}) {
            std::vector<std::int64_t> lens;
            std::vector<std::int64_t> last_loc;
            std::vector<std::int64_t> free_pages;
            for (std::int64_t b = 0; b < batch; ++b) {
                lens.push_back(below(random, 200));
                last_loc.push_back(below(random, 100000));
                free_pages.push_back(below(random, 100000));
            }
            std::vector<std::int64_t> out(static_cast<std::size_t>(batch + 2), -77);
            const DeviceVector<std::int64_t> device_lens(lens);
            const DeviceVector<std::int64_t> device_last(last_loc);
            const DeviceVector<std::int64_t> device_free(free_pages);
            const DeviceVector<std::int64_t> device_out(out);
            host::run(AllocDecodeCall{
                .lens = lens.data(),
                .last_loc = last_loc.data(),
                .free_pages = free_pages.data(),
                .page_size = page_size,
                .batch = batch,
                .out = out.data(),
            });
            const AllocDecodeCall call{
                .lens = device_lens.data(),
                .last_loc = device_last.data(),
                .free_pages = device_free.data(),
                .page_size = page_size,
                .batch = batch,
                .out = device_out.data(),
            };
            require_cuda(cuda::launch(call, nullptr), "launch alloc_decode");
            EXPECT_EQ(device_out.host(), out) << "ps " << page_size << " batch " << batch;
        }
    }
}

TEST(AllocatorGpu, ZeroPagesClearsTheListedEnvelopesOnly) {
    for (const std::int64_t page_bytes : {8, 24, 16384, 40008}) {
        std::vector<std::uint8_t> buffer(static_cast<std::size_t>(page_bytes * 6), 0xab);
        const std::vector<std::int64_t> pages{4, 1};
        const DeviceVector<std::uint8_t> device_buffer(buffer);
        const DeviceVector<std::int64_t> device_pages(pages);
        host::run(ZeroPagesCall{
            .ppages = pages.data(), .count = 2, .buffer = buffer.data(), .page_bytes = page_bytes});
        const ZeroPagesCall call{
            .ppages = device_pages.data(),
            .count = 2,
            .buffer = device_buffer.data(),
            .page_bytes = page_bytes,
        };
        require_cuda(cuda::launch(call, nullptr), "launch zero_pages");
        EXPECT_EQ(device_buffer.host(), buffer) << page_bytes << " bytes a page";
    }
}

TEST(AllocatorGpu, ZeroPagesSkipsATombstone) {
    const std::vector<std::uint8_t> buffer(2 * 64, 0xab);
    const DeviceVector<std::uint8_t> device_buffer(buffer);
    const DeviceVector<std::int64_t> device_pages(std::vector<std::int64_t>{-1});
    const ZeroPagesCall call{
        .ppages = device_pages.data(),
        .count = 1,
        .buffer = device_buffer.data() + 64,
        .page_bytes = 64,
    };
    require_cuda(cuda::launch(call, nullptr), "launch zero_pages");
    EXPECT_EQ(device_buffer.host(), buffer);
}

TEST(AllocatorGpu, LaunchesNothingForEmptyWork) {
    EXPECT_EQ(cuda::launch(AllocBindCall{}, nullptr), cudaSuccess);
    EXPECT_EQ(cuda::launch(BindCall{}, nullptr), cudaSuccess);
    EXPECT_EQ(cuda::launch(FreeUnbindCall{}, nullptr), cudaSuccess);
    EXPECT_EQ(cuda::launch(AllocDecodeCall{}, nullptr), cudaSuccess);
    EXPECT_EQ(cuda::launch(ZeroPagesCall{}, nullptr), cudaSuccess);
}

} // namespace
