// Buffers made by hand, walked by the real CUPTI, which needs no driver for it.
#include "capture/cuda/cupti_decoder.h"
#include "capture/cuda/cupti_session.h"
#include "capture/model/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::cuda {
namespace {

using activity::Record;
using activity::Span;
using ::testing::HasSubstr;

/// The records of one buffer, one behind the other, as CUPTI lays them.
class Buffer {
  public:
    template<typename T>
    void add(const T& record) {
        const std::size_t at = bytes_.size();
        bytes_.resize(at + sizeof(T) / sizeof(std::uint64_t));
        std::memcpy(bytes_.data() + at, &record, sizeof(T));
    }

    [[nodiscard]] std::uint8_t* data() { return reinterpret_cast<std::uint8_t*>(bytes_.data()); }

    [[nodiscard]] std::size_t size() const { return bytes_.size() * sizeof(std::uint64_t); }

  private:
    std::vector<std::uint64_t> bytes_;
};

CUpti_ActivityKernel10 kernel(const char* name, std::uint64_t node, std::int32_t blocks) {
    CUpti_ActivityKernel10 record{};
    record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    record.name = name;
    record.start = 100;
    record.end = 130;
    record.graphNodeId = node;
    record.graphId = static_cast<std::uint32_t>(node >> 32U);
    record.correlationId = 77;
    record.streamId = 13;
    record.deviceId = 2;
    record.gridX = blocks;
    record.gridY = 2;
    record.gridZ = 3;
    record.blockX = 128;
    record.blockY = record.blockZ = 1;
    record.registersPerThread = 40;
    record.staticSharedMemory = 1'024;
    record.dynamicSharedMemory = 2'048;
    record.localMemoryPerThread = 16;
    return record;
}

CUpti_ActivityMemcpy6 copy(CUpti_ActivityMemcpyKind kind, std::uint64_t bytes) {
    CUpti_ActivityMemcpy6 record{};
    record.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
    record.copyKind = static_cast<std::uint8_t>(kind);
    record.bytes = bytes;
    record.start = 200;
    record.end = 210;
    record.correlationId = 78;
    return record;
}

class CuptiDecode : public ::testing::Test {
  protected:
    void SetUp() override {
        try {
            api_ = load_cupti();
        } catch (const UnavailableError& error) {
            GTEST_SKIP() << error.what();
        }
    }

    Decoded decode(std::size_t bytes) {
        RecordDecoder decoder;
        decoder.decode_buffer(api_, buffer_.data(), bytes);
        return decoder.take();
    }

    Decoded decode() { return decode(buffer_.size()); }

    CuptiApi api_;
    Buffer buffer_;
};

TEST_F(CuptiDecode, ReadsAKernelAndItsShape) {
    buffer_.add(kernel("_Z6attendv", 0x5'0000'0003, 9));
    const Decoded decoded = decode();
    ASSERT_EQ(decoded.records.size(), 1U);
    EXPECT_EQ(
        decoded.records[0],
        (Record{
            .start = 100,
            .end = 130,
            .node = 0x5'0000'0003,
            .correlation = 77,
            .shape = 0,
            .stream = 13})
    );
    ASSERT_EQ(decoded.shapes.size(), 1U);
    EXPECT_EQ(
        decoded.shapes[0],
        (activity::Shape{
            .kind = ActivityKind::kernel,
            .name = "_Z6attendv",
            .grid = {9, 2, 3},
            .block = {128, 1, 1},
            .registers = 40,
            .static_shared_bytes = 1'024,
            .dynamic_shared_bytes = 2'048,
            .local_bytes = 16})
    );
}

TEST_F(CuptiDecode, ReadsCopiesByDirection) {
    buffer_.add(copy(CUPTI_ACTIVITY_MEMCPY_KIND_HTOD, 64));
    buffer_.add(copy(CUPTI_ACTIVITY_MEMCPY_KIND_DTOH, 64));
    buffer_.add(copy(CUPTI_ACTIVITY_MEMCPY_KIND_DTOD, 64));
    buffer_.add(copy(CUPTI_ACTIVITY_MEMCPY_KIND_HTOH, 64));
    const Decoded decoded = decode();
    ASSERT_EQ(decoded.shapes.size(), 4U);
    EXPECT_EQ(decoded.shapes[0].copy, CopyKind::host_to_device);
    EXPECT_EQ(decoded.shapes[1].copy, CopyKind::device_to_host);
    EXPECT_EQ(decoded.shapes[2].copy, CopyKind::device_to_device);
    EXPECT_EQ(decoded.shapes[3].copy, CopyKind::other);
    EXPECT_EQ(decoded.shapes[0].name, "memory copy");
    EXPECT_EQ(decoded.shapes[0].bytes, 64);
    EXPECT_EQ(decoded.records[0].correlation, 78U);
}

TEST_F(CuptiDecode, ReadsACopyBetweenDevices) {
    CUpti_ActivityMemcpyPtoP4 record{};
    record.kind = CUPTI_ACTIVITY_KIND_MEMCPY2;
    record.bytes = 32;
    record.correlationId = 79;
    buffer_.add(record);
    const Decoded decoded = decode();
    ASSERT_EQ(decoded.shapes.size(), 1U);
    EXPECT_EQ(decoded.shapes[0].copy, CopyKind::other);
    EXPECT_EQ(decoded.records[0].correlation, 79U);
}

TEST_F(CuptiDecode, ReadsAFill) {
    CUpti_ActivityMemset4 record{};
    record.kind = CUPTI_ACTIVITY_KIND_MEMSET;
    record.bytes = 4'096;
    record.start = 5;
    record.end = 6;
    record.graphNodeId = 0x5'0000'0000;
    buffer_.add(record);
    const Decoded decoded = decode();
    ASSERT_EQ(decoded.shapes.size(), 1U);
    EXPECT_EQ(decoded.shapes[0].kind, ActivityKind::memory_set);
    EXPECT_EQ(decoded.shapes[0].bytes, 4'096);
    EXPECT_EQ(decoded.records[0].node, 0x5'0000'0000U);
}

TEST_F(CuptiDecode, ReadsTheSpanOfAReplay) {
    CUpti_ActivityGraphTrace2 record{};
    record.kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE;
    record.start = 10;
    record.end = 90;
    record.graphId = 5;
    record.correlationId = 8;
    buffer_.add(record);
    const Decoded decoded = decode();
    ASSERT_EQ(decoded.spans.size(), 1U);
    EXPECT_EQ(decoded.spans[0], (Span{.start = 10, .end = 90, .correlation = 8}));
    EXPECT_EQ(decoded.records.size(), 0U);
}

TEST_F(CuptiDecode, KeepsNoOverheadAndFreesWhatHangsOnIt) {
    CUpti_ActivityOverhead3 record{};
    record.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
    record.overheadData = std::malloc(sizeof(CUpti_ActivityOverheadCommandBufferFullData));
    buffer_.add(record);
    record.overheadData = nullptr;
    buffer_.add(record);
    const Decoded decoded = decode();
    EXPECT_EQ(decoded.records.size(), 0U);
    EXPECT_EQ(decoded.unknown_kinds, 0);
}

TEST_F(CuptiDecode, CountsKindsThatItDoesNotReadAndGoesOn) {
    CUpti_ActivityAPI call{};
    call.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
    buffer_.add(call);
    buffer_.add(kernel("k", 0, 1));
    const Decoded decoded = decode();
    EXPECT_EQ(decoded.unknown_kinds, 1);
    EXPECT_EQ(decoded.records.size(), 1U);
}

TEST_F(CuptiDecode, LeavesMissingTimesMissing) {
    auto record = kernel("k", 0, 1);
    record.start = record.end = 0;
    buffer_.add(record);
    const Decoded decoded = decode();
    EXPECT_EQ(decoded.records[0].start, 0U);
    EXPECT_EQ(decoded.records[0].end, 0U);
}

TEST_F(CuptiDecode, SharesAShapeBetweenReplaysAndBetweenCopiesOfAName) {
    const std::string name = "attend";
    const std::string same = "attend";
    ASSERT_NE(name.c_str(), same.c_str());
    for (int replay = 0; replay < 3; ++replay) {
        buffer_.add(kernel(name.c_str(), 0x5'0000'0000, 9));
        buffer_.add(kernel(same.c_str(), 0x5'0000'0001, 9));
        buffer_.add(kernel(name.c_str(), 0x5'0000'0002, 8));
    }
    const Decoded decoded = decode();
    EXPECT_EQ(decoded.records.size(), 9U);
    EXPECT_EQ(decoded.shapes.size(), 2U);
    EXPECT_EQ(decoded.records[0].shape, decoded.records[4].shape);
    EXPECT_NE(decoded.records[0].shape, decoded.records[2].shape);
}

TEST_F(CuptiDecode, SeesANodeWhoseLaunchChangedBetweenReplays) {
    buffer_.add(kernel("k", 0x5'0000'0000, 9));
    buffer_.add(kernel("k", 0x5'0000'0000, 10));
    const Decoded decoded = decode();
    EXPECT_EQ(decoded.shapes.size(), 2U);
    EXPECT_EQ(decoded.records[1].shape, 1U);
}

TEST_F(CuptiDecode, CopiesNamesBecauseTheyBelongToCupti) {
    std::string name = "attend";
    buffer_.add(kernel(name.c_str(), 0, 1));
    const Decoded decoded = decode();
    name = "______";
    EXPECT_EQ(decoded.shapes[0].name, "attend");
}

TEST_F(CuptiDecode, ReadsWholeRecordsOfATruncatedBuffer) {
    buffer_.add(kernel("one", 0, 1));
    buffer_.add(kernel("two", 0, 1));
    const Decoded decoded = decode(buffer_.size() - 8);
    EXPECT_EQ(decoded.records.size(), 1U);
}

TEST_F(CuptiDecode, SaysThatABufferEndsInARecordWithoutAKind) {
    buffer_.add(kernel("one", 0, 1));
    buffer_.add(std::array<std::uint64_t, 8>{});
    const Decoded decoded = decode();
    EXPECT_EQ(decoded.records.size(), 1U);
    EXPECT_EQ(decoded.broken_buffers, 1);
}

TEST_F(CuptiDecode, ReadsNothingFromAnEmptyBuffer) {
    buffer_.add(kernel("one", 0, 1));
    const Decoded decoded = decode(0);
    EXPECT_EQ(decoded.records.size(), 0U);
    EXPECT_EQ(decoded.broken_buffers, 0);
}

TEST_F(CuptiDecode, StartsAnewAfterATake) {
    RecordDecoder decoder;
    buffer_.add(kernel("one", 0x5'0000'0000, 1));
    decoder.decode_buffer(api_, buffer_.data(), buffer_.size());
    static_cast<void>(decoder.take());
    decoder.decode_buffer(api_, buffer_.data(), buffer_.size());
    const Decoded decoded = decoder.take();
    EXPECT_EQ(decoded.records.size(), 1U);
    ASSERT_EQ(decoded.shapes.size(), 1U);
    EXPECT_EQ(decoded.shapes[0].name, "one");
}

TEST_F(CuptiDecode, KnowsTheLibraryItLoaded) {
    EXPECT_THAT(api_.context.file, HasSubstr("libcupti.so.13"));
    EXPECT_EQ(cupti_major(api_.context.cupti_version), 13);
}

TEST_F(CuptiDecode, BlamesAMissingDriverWhenTheRealCuptiRefuses) {
    if (api_.context.driver_version) {
        GTEST_SKIP() << "this machine has a driver";
    }
    try {
        const CuptiSession session(api_, level_of(Pass::counts).value());
        ADD_FAILURE() << "it opened";
    } catch (const UnavailableError& error) {
        EXPECT_THAT(error.what(), HasSubstr("sees no NVIDIA driver"));
    }
}

} // namespace
} // namespace kvprof::cuda
