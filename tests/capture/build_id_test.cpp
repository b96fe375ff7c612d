#include "capture/build_id.h"

#include "capture/host_facts.h"
#include "capture/text_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof {
namespace {

TEST(BuildId, NamesTheCodeOfThisProgram) {
    EXPECT_THAT(build_id(), testing::MatchesRegex("[0-9a-f]{40}")); // SHA-1, as it is linked
}

TEST(BuildId, StandsInTheProgramsFile) {
    std::string bytes;
    const std::string id = build_id();
    for (std::size_t i = 0; i + 1 < id.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(id.substr(i, 2), nullptr, 16));
    }
    EXPECT_NE(read_text_file("/proc/self/exe").find(bytes), std::string::npos);
}

TEST(BootId, IsTheKernels) {
    const std::string text = read_text_file("/proc/sys/kernel/random/boot_id");
    EXPECT_EQ(boot_id() + "\n", text);
}

} // namespace
} // namespace kvprof
