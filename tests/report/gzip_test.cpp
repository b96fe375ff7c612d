#include "report/gzip.h"

#include "capture/model/error.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

namespace kvprof::report {
namespace {

int byte_at(const std::string& file, std::size_t place) {
    return static_cast<unsigned char>(file.at(place));
}

TEST(Gzip, NamesNoTimeNoFileAndNoSystem) {
    const std::string file = gzip("text");
    EXPECT_EQ(file.substr(0, 3), "\x1f\x8b\x08"); // gzip, deflate
    for (std::size_t place = 3; place < 8; ++place) {
        EXPECT_EQ(byte_at(file, place), 0) << place; // flags, time
    }
    EXPECT_EQ(byte_at(file, 9), 255);
}

TEST(Gzip, EndsWithTheSizeOfTheText) {
    const std::string text(300'000, 'k');
    const std::string file = gzip(text);
    EXPECT_LT(file.size(), 1000U);
    const std::size_t end = file.size();
    EXPECT_EQ(
        byte_at(file, end - 4) + 256 * byte_at(file, end - 3) + 65'536 * byte_at(file, end - 2),
        300'000
    );
}

TEST(Gzip, TakesAnEmptyText) {
    EXPECT_EQ(gzip("").size(), 20U);
}

TEST(Gunzip, GivesBackWhatWasPacked) {
    for (const std::string& text :
         {std::string(), std::string("a\0b", 3), std::string(300'000, 'k')}) {
        EXPECT_EQ(gunzip(gzip(text)), text);
    }
}

TEST(Gunzip, LeavesAloneWhatIsNotPacked) {
    EXPECT_EQ(gunzip("{\"schema\": 1}"), "{\"schema\": 1}");
    EXPECT_EQ(gunzip(""), "");
}

TEST(Gunzip, RefusesAFileThatIsCutOffOrDamaged) {
    const std::string file = gzip(std::string(1000, 'k') + "text");
    EXPECT_THROW(std::ignore = gunzip(file.substr(0, file.size() - 1)), UsageError);
    std::string damaged = file;
    damaged[file.size() - 8] ^= 1; // the checksum
    EXPECT_THROW(std::ignore = gunzip(damaged), UsageError);
    EXPECT_THROW(std::ignore = gunzip(file + "more"), UsageError) << "nobody would look at it";
}

} // namespace
} // namespace kvprof::report
