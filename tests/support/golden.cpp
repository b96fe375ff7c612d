#include "tests/support/golden.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace kvprof::test {

void expect_golden(std::string_view name, const std::string& text) {
    const std::filesystem::path path = std::filesystem::path(KVPROF_TESTS_DIR) / "golden" / name;
    if (const char* update = std::getenv("KVPROF_UPDATE_GOLDEN");
        update != nullptr && std::string_view(update) == "1") {
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
        return;
    }
    std::ifstream file(path, std::ios::binary);
    ASSERT_TRUE(file) << "there is no " << path << "; write it with KVPROF_UPDATE_GOLDEN=1";
    const std::string wanted{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(text, wanted) << "differs from " << path << "; KVPROF_UPDATE_GOLDEN=1 rewrites it";
}

} // namespace kvprof::test
