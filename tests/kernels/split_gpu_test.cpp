#include "kernels/balance_rules.h"
#include "kernels/cuda/read_index.h"
#include "kernels/host/read_index.h"
#include "kernels/read_geometry.h"
#include "tests/support/device_read_case.h"

#include <gtest/gtest.h>

#include <vector>

// Whatever divides the batch over blocks, the ids are those of the host twin, and nothing else is
// written.

namespace {

using kvprof::kernels::IndexType;
using kvprof::kernels::kTunableItems;
using kvprof::kernels::kTunableThreads;
using kvprof::kernels::Split;
using kvprof::kernels::Tuning;
using kvprof::test::DeviceReadCase;
using kvprof::test::DeviceVector;
using kvprof::test::IndexBuffer;
using kvprof::test::random_read_cases;
using kvprof::test::ReadCase;
using kvprof::test::ReadCaseSpec;
using kvprof::test::require_cuda;
namespace cuda = kvprof::kernels::cuda;
namespace host = kvprof::kernels::host;

constexpr std::int32_t kPoison = -77;

std::vector<Tuning> all_tunings() {
    std::vector<Tuning> tunings;
    for (const auto split : {Split::rows, Split::flat, Split::balanced}) {
        for (const int threads : kTunableThreads) {
            for (const int items : kTunableItems) {
                tunings.push_back({threads, items, 37, split, items == 4});
            }
        }
    }
    return tunings;
}

std::string name_of(const Tuning& tuning) {
    return "split " + std::to_string(static_cast<int>(tuning.split)) + ", "
           + std::to_string(tuning.threads) + " threads, " + std::to_string(tuning.items)
           + " items";
}

/// The table's buffer, guards included, as the host twin leaves it.
class TableCase {
  public:
    TableCase(ReadCase& read, bool zero_tail)
        : read_(read),
          device_(read) {
        const auto pages = (read.longest() + read.spec.page_size - 1) / read.spec.page_size;
        call_.width = pages + 2;
        call_.stride = call_.width + 3;
        call_.zero_tail = zero_tail;
        before_.assign(static_cast<std::size_t>((read.batch() + 1) * call_.stride), kPoison);
    }

    [[nodiscard]] std::vector<std::int32_t> on_host() {
        auto out = before_;
        call_.lanes = read_.lanes();
        call_.out = out.data();
        host::run(call_);
        return out;
    }

    [[nodiscard]] std::vector<std::int32_t> on_device(const Tuning& tuning) {
        const DeviceVector<std::int32_t> out(before_);
        call_.lanes = device_.lanes;
        call_.out = out.data();
        call_.tuning = tuning;
        require_cuda(cuda::launch(call_, nullptr), "launch the page table");
        return out.host();
    }

  private:
    ReadCase& read_;
    DeviceReadCase device_;
    kvprof::kernels::PageTableCall call_;
    std::vector<std::int32_t> before_;
};

/// The stream's buffer, guards included; it begins `lead` elements past a vector's boundary.
class StreamCase {
  public:
    StreamCase(ReadCase& read, IndexType type, std::int64_t lead)
        : read_(read),
          device_(read),
          before_(
              std::vector<std::int64_t>(
                  static_cast<std::size_t>(read.tokens() + lead + 5), kPoison
              ),
              type
          ),
          skipped_(lead * kvprof::kernels::index_bytes(type)) {
        call_.capacity = read.tokens();
    }

    void end_after(std::int64_t elements) { call_.capacity = elements; }

    [[nodiscard]] std::vector<std::int64_t> on_host() {
        auto out = before_.bytes;
        call_.lanes = read_.lanes();
        call_.starts = read_.starts_view();
        call_.indptr = read_.indptr.data();
        call_.out = {out.data() + skipped_, before_.type};
        host::run(call_);
        return IndexBuffer::decode(out, before_.type);
    }

    [[nodiscard]] std::vector<std::int64_t> on_device(const Tuning& tuning) {
        const DeviceVector<std::uint8_t> out(before_.bytes);
        call_.lanes = device_.lanes;
        call_.starts = device_.starts_view;
        call_.indptr = device_.indptr.data();
        call_.out = {out.data() + skipped_, before_.type};
        call_.tuning = tuning;
        require_cuda(cuda::launch(call_, nullptr), "launch the token stream");
        return IndexBuffer::decode(out.host(), before_.type);
    }

  private:
    ReadCase& read_;
    DeviceReadCase device_;
    kvprof::kernels::TokenStreamCall call_;
    IndexBuffer before_;
    std::int64_t skipped_;
};

void expect_table_of_all(ReadCase& read, bool zero_tail) {
    TableCase table(read, zero_tail);
    const auto expected = table.on_host();
    for (const Tuning& tuning : all_tunings()) {
        EXPECT_EQ(table.on_device(tuning), expected) << name_of(tuning);
    }
}

void expect_stream_of_all(ReadCase& read, IndexType type, std::int64_t lead) {
    StreamCase stream(read, type, lead);
    const auto expected = stream.on_host();
    for (const Tuning& tuning : all_tunings()) {
        EXPECT_EQ(stream.on_device(tuning), expected) << name_of(tuning);
    }
}

/// Uneven enough for Split::balanced to leave its rows at page size 1: 20 lanes of tokens, one of
/// 60,000, and an empty one.
ReadCaseSpec skewed(std::int64_t page_size) {
    ReadCaseSpec spec{.page_size = page_size, .lens = std::vector<std::int64_t>(19, 401)};
    spec.lens.insert(spec.lens.begin() + 7, 60'000);
    spec.lens.push_back(0);
    return spec;
}

TEST(SplitGpu, EveryTuningWritesTheTablesOf18RandomCases) {
    for (const ReadCaseSpec& spec : random_read_cases(18, false)) {
        ReadCase read(spec);
        expect_table_of_all(read, spec.seed % 2 == 0);
    }
}

TEST(SplitGpu, EveryTuningWritesTheStreamsOf18RandomCasesAtEveryAlignment) {
    std::int64_t lead = 0;
    for (const ReadCaseSpec& spec : random_read_cases(18, true)) {
        ReadCase read(spec);
        expect_stream_of_all(read, lead % 2 == 0 ? IndexType::i32 : IndexType::i64, lead % 4);
        ++lead;
    }
}

TEST(SplitGpu, EveryTuningWritesASkewedBatch) {
    for (const std::int64_t page_size : {1, 3, 16}) {
        ReadCase read(skewed(page_size));
        expect_table_of_all(read, true);
        expect_stream_of_all(read, IndexType::i32, 0);
        expect_stream_of_all(read, IndexType::i64, 3);
    }
}

/// Lengths alone decide the split, and room what is written.
TEST(SplitGpu, ASkewedBatchEndsWhereItsBufferDoes) {
    for (const std::int64_t room : {0, 1, 30'001, 65'000}) {
        ReadCase read(skewed(1));
        StreamCase stream(read, IndexType::i32, 1);
        stream.end_after(room);
        const auto expected = stream.on_host();
        for (const Tuning& tuning : all_tunings()) {
            EXPECT_EQ(stream.on_device(tuning), expected) << name_of(tuning) << ", room " << room;
        }
    }
}

TEST(SplitGpu, ABatchThatNoBlockCanHoldStaysInRows) {
    using kvprof::kernels::kMostSharedLanes;
    EXPECT_EQ(kvprof::kernels::split_of({.split = Split::flat}, kMostSharedLanes), Split::flat);
    EXPECT_EQ(kvprof::kernels::split_of({.split = Split::flat}, kMostSharedLanes + 1), Split::rows);
    ReadCaseSpec spec{.lens = std::vector<std::int64_t>(kMostSharedLanes + 1, 3)};
    spec.lens.back() = 1000;
    ReadCase read(spec);
    expect_stream_of_all(read, IndexType::i32, 0);
}

TEST(SplitGpu, ALargestBatchThatABlockCanHoldIsSharedEqually) {
    ReadCaseSpec spec{.lens = std::vector<std::int64_t>(kvprof::kernels::kMostSharedLanes, 3)};
    spec.lens[1000] = 1000;
    ReadCase read(spec);
    expect_stream_of_all(read, IndexType::i32, 0);
    expect_table_of_all(read, false);
}

TEST(SplitGpu, ATuningThatIsNotCompiledIsRefused) {
    ReadCase read({.lens = {5}});
    DeviceReadCase device(read);
    kvprof::kernels::PageTableCall call;
    call.lanes = device.lanes;
    call.width = 5;
    call.stride = 5;
    call.tuning.threads = 96;
    EXPECT_EQ(cuda::launch(call, nullptr), cudaErrorInvalidValue);
}

} // namespace
