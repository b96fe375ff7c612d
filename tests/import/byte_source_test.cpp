#include "capture/import/byte_source.h"

#include "capture/import/readers.h"
#include "capture/import/refused.h"
#include "report/gzip.h"
#include "tests/import/written_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

namespace kvprof::import {
namespace {

using report::gzip;
using test::WrittenFile;

std::string rest_of(ByteSource& source) {
    std::string text;
    std::string part(100, '\0'); // small, so that members end within and between reads
    while (const std::size_t size = source.read(part)) {
        text.append(part, 0, size);
    }
    return text;
}

std::string word_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const RefusedError& error) {
        EXPECT_FALSE(error.hint().empty());
        return error.word();
    }
    return "none";
}

TEST(ByteSource, InflatesEveryMember) {
    const std::string first(1000, 'a');
    const WrittenFile file(gzip(first) + gzip("") + gzip("b"));
    ByteSource source(file.path());
    EXPECT_EQ(rest_of(source), first + "b");
    EXPECT_TRUE(source.is_gzip());
    EXPECT_FALSE(source.is_truncated());
    EXPECT_FALSE(source.has_trailing_data());
}

TEST(ByteSource, GivesPlainFilesAsTheyAreWhateverTheirName) {
    const WrittenFile file("{}", "trace.json.gz");
    ByteSource source(file.path());
    EXPECT_EQ(rest_of(source), "{}");
    EXPECT_FALSE(source.is_gzip());
}

TEST(ByteSource, KnowsWhenAMemberEndsEarly) {
    const std::string whole = gzip(std::string(1000, 'a'));
    for (std::size_t size = 2; size < whole.size(); ++size) {
        const WrittenFile file(whole.substr(0, size));
        ByteSource source(file.path());
        source.drain();
        EXPECT_TRUE(source.is_truncated()) << size;
    }
}

TEST(ByteSource, RefusesAWrongChecksumLengthOrStream) {
    const std::string whole = gzip("some text that is long enough to be packed, packed, packed");
    for (const std::size_t from_end : {8U, 4U, 20U}) {
        std::string bytes = whole;
        bytes[bytes.size() - from_end] ^= 0x55;
        const WrittenFile file(bytes);
        ByteSource source(file.path());
        EXPECT_EQ(word_of([&] { source.drain(); }), "gzip-crc") << from_end;
    }
}

TEST(ByteSource, SeesWhatFollowsTheLastMember) {
    for (const std::string& tail : {std::string(1, '\0'), std::string("garbage")}) {
        const WrittenFile file(gzip("x") + tail);
        ByteSource source(file.path());
        EXPECT_EQ(rest_of(source), "x");
        EXPECT_TRUE(source.has_trailing_data());
    }
}

TEST(InputFile, RefusesToBeReadWhileItGrowsShrinksOrIsRewritten) {
    const WrittenFile grows("{}");
    const InputFile growing(grows.path());
    growing.check_unchanged();
    grows.append(" ");
    EXPECT_EQ(word_of([&] { growing.check_unchanged(); }), "changed-while-read");

    const WrittenFile shrinks("{}");
    const InputFile shrinking(shrinks.path());
    std::filesystem::resize_file(shrinks.path(), 1);
    EXPECT_EQ(word_of([&] { shrinking.check_unchanged(); }), "changed-while-read");

    const WrittenFile changes("{}");
    const InputFile changing(changes.path());
    const auto opened = std::filesystem::last_write_time(changes.path());
    std::filesystem::last_write_time(changes.path(), opened - std::chrono::hours(1));
    EXPECT_EQ(word_of([&] { changing.check_unchanged(); }), "changed-while-read");
}

TEST(Sniff, LooksAtBytesAndNotAtNames) {
    const auto format = [](std::string_view bytes, std::string_view name = "trace.json") {
        return sniff(WrittenFile(bytes, name).path());
    };
    EXPECT_EQ(format("\n {\"a\": 1}", "x.gz"), FileFormat::json);
    EXPECT_EQ(format("[]"), FileFormat::json);
    EXPECT_EQ(format("\xEF\xBB\xBF{}"), FileFormat::json);
    EXPECT_EQ(format(gzip("{}")), FileFormat::gzip);
    EXPECT_EQ(format(std::string("SQLite format 3") + '\0'), FileFormat::sqlite);
    EXPECT_EQ(format("\xFF\xFE{"), FileFormat::utf16);
    EXPECT_EQ(format(std::string("{\0\"\0", 4)), FileFormat::utf16);
    EXPECT_EQ(format("NSYSREP", "run.nsys-rep"), FileFormat::nsys_report);
    EXPECT_EQ(format("{}", "run.nsys-rep"), FileFormat::json);
    EXPECT_EQ(format(std::string("\0\5\x16\7", 4)), FileFormat::other);
    EXPECT_EQ(format("   "), FileFormat::other);
}

TEST(Sniff, RefusesWhatHoldsNoBytesAndNeverWaitsForAWriter) {
    const WrittenFile empty("");
    EXPECT_EQ(word_of([&] { static_cast<void>(sniff(empty.path())); }), "empty-file");
    EXPECT_EQ(word_of([&] { static_cast<void>(sniff(empty.folder())); }), "not-a-file");
    const std::filesystem::path fifo = empty.folder() / "fifo";
    ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
    EXPECT_EQ(word_of([&] { static_cast<void>(sniff(fifo)); }), "not-a-file");
    EXPECT_EQ(word_of([&] { static_cast<void>(sniff("/dev/null")); }), "not-a-file");
    EXPECT_THROW(static_cast<void>(sniff(empty.folder() / "none")), UsageError);
}

} // namespace
} // namespace kvprof::import
