#include "capture/host_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

TEST(CpuModel, IsTheFirstModelName) {
    EXPECT_EQ(
        cpu_model_in(
            "processor\t: 0\nmodel\t\t: 85\nmodel name\t: Xeon 8480C\nmodel name\t: other\n"
        ),
        "Xeon 8480C"
    );
}

TEST(CpuModel, IsThePartNumberOnArm) {
    EXPECT_EQ(cpu_model_in("processor\t: 0\nCPU part\t: 0xd4f\n"), "0xd4f");
}

TEST(CpuModel, SaysWhenThereIsNone) {
    EXPECT_EQ(cpu_model_in(""), "unavailable: /proc/cpuinfo names no model");
}

TEST(MemoryAvailable, IsInBytes) {
    EXPECT_EQ(memory_available_in("MemTotal: 100 kB\nMemAvailable:    24 kB\n"), 24 * 1024);
    EXPECT_EQ(memory_available_in("MemTotal: 100 kB\n"), 0);
}

TEST(HostFacts, AreThereOnThisMachine) {
    const HostFacts facts = host_facts();
    EXPECT_GT(facts.cpu_count, 0);
    EXPECT_GT(facts.memory_available_bytes, 0);
    EXPECT_THAT(facts.hostname, Not(IsEmpty()));
    EXPECT_THAT(facts.os, ::testing::StartsWith("Linux "));
}

} // namespace
} // namespace kvprof
