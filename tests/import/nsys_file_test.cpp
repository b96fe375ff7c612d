#include "report/gzip.h"
#include "tests/import/nsys_export.h"
#include "tests/import/nsys_reading.h"

#include <SQLiteCpp/Database.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace kvprof::import {
namespace {

using test::figure;
using test::NsysExport;
using test::read_export;
using test::refusal;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::set<std::string> files_in(const std::filesystem::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        names.insert(entry.path().filename().string());
    }
    return names;
}

std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::filesystem::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
}

TEST(NsysFile, IsReadWithoutAFileBesideItEvenWhenItsModeIsWal) {
    NsysExport file;
    file.run("PRAGMA journal_mode = WAL");
    file.kernel({});
    const auto& path = file.close();
    const std::string before = bytes_of(path);
    EXPECT_EQ(figure(read_export(path), "gpu.kernel.count"), 1);
    EXPECT_EQ(files_in(file.folder()), std::set<std::string>{"report.sqlite"});
    EXPECT_EQ(bytes_of(path), before);
}

TEST(NsysFile, IsReadWithTheLogOfAProgramThatHasItOpen) {
    NsysExport file;
    file.run("PRAGMA journal_mode = WAL");
    const auto& path = file.close();
    SQLite::Database other(path.string(), SQLite::OPEN_READWRITE);
    other.exec("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(5, 9, 0, 1, 7, 1, 0, 0, 0, 0)");
    const auto before = files_in(file.folder());
    EXPECT_EQ(figure(read_export(path), "gpu.kernel.sum"), 4); // of the log alone
    EXPECT_EQ(files_in(file.folder()), before);
}

TEST(NsysFile, IsRefusedWhenALogWasLeftWithoutItsIndex) {
    NsysExport file;
    const auto& path = file.close();
    write(path.string() + "-wal", std::string("\x37\x7f\x06\x82", 4) + std::string(100, 'x'));
    const std::string wal_mode = std::string("\x02\x02", 2);
    std::string bytes = bytes_of(path);
    bytes.replace(18, 2, wal_mode); // the header's write and read versions
    write(path, bytes);
    EXPECT_THAT(
        refusal(path), AllOf(StartsWith("sqlite-in-use: "), HasSubstr("close that program"))
    );
    EXPECT_EQ(
        files_in(file.folder()), (std::set<std::string>{"report.sqlite", "report.sqlite-wal"})
    );
}

TEST(NsysFile, IsRefusedWhenAWriterWasInterrupted) {
    NsysExport file;
    const auto& path = file.close();
    write(path.string() + "-journal", "\xd9\xd5\x05\xf9");
    EXPECT_THAT(refusal(path), StartsWith("sqlite-in-use: "));
    write(path.string() + "-journal", std::string(512, '\0')); // one that was ended
    EXPECT_EQ(refusal(path), "");
}

TEST(NsysFile, IsFoundWhateverItsNameHolds) {
    NsysExport file;
    file.kernel({});
    const auto odd = file.folder() / "a?mode=rwc#b%20c.sqlite";
    std::filesystem::copy_file(file.close(), odd);
    EXPECT_EQ(figure(read_export(odd), "gpu.kernel.count"), 1);
}

TEST(NsysFile, HalfADatabaseIsRefused) {
    NsysExport file;
    for (int i = 0; i < 200; ++i) {
        file.kernel({.start = i, .end = i + 1});
    }
    const auto& path = file.close();
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
    EXPECT_THAT(
        refusal(path),
        AllOf(
            StartsWith("sqlite-malformed: could not read " + path.string()),
            HasSubstr("disk image is malformed"),
            HasSubstr("nsys export --type sqlite")
        )
    );
}

TEST(NsysFile, ADatabaseOfAnotherProgramIsRefused) {
    const NsysExport file;
    const auto other = file.folder() / "other.sqlite";
    SQLite::Database(other.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec("CREATE TABLE secret_table(a)");
    EXPECT_THAT(
        refusal(other), AllOf(StartsWith("not-nsys: "), testing::Not(HasSubstr("secret_table")))
    );
}

TEST(NsysFile, NothingOfAHostileSchemaIsRun) {
    NsysExport file;
    file.kernel({});
    file.run(R"(
        DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME;
        CREATE VIEW CUPTI_ACTIVITY_KIND_RUNTIME AS WITH RECURSIVE forever(x) AS
            (SELECT 1 UNION ALL SELECT x + 1 FROM forever) SELECT x AS start, x AS "end",
            x AS nameId FROM forever;
        CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start, end);
        INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES(1, 2);
        ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY ADD COLUMN bytes AS (abs(-9223372036854775807 - 1));
        CREATE VIRTUAL TABLE CUPTI_ACTIVITY_KIND_MEMSET USING fts5(start, end);
        CREATE TRIGGER of_strings AFTER INSERT ON StringIds BEGIN DELETE FROM StringIds; END;
    )");
    const FileProfile read = read_export(file.close());
    EXPECT_EQ(figure(read, "gpu.kernel.count"), 1);
    EXPECT_EQ(figure(read, "gpu.memcpy.count"), 1); // by the columns that are stored
    EXPECT_EQ(figure(read, "gpu.memset.count"), 0);
    EXPECT_EQ(figure(read, "api.calls"), 0);
}

TEST(NsysFile, AStatementOfItsSchemaHasALimit) {
    NsysExport file;
    file.run("CREATE TABLE long_one(a CHECK(a <> '" + std::string(2 << 20, 'x') + "'))");
    EXPECT_THAT(refusal(file.close()), StartsWith("sqlite-malformed: "));
}

TEST(NsysFile, ItsGzipIsReadAndNamedAsItself) {
    NsysExport file;
    file.kernel({});
    const std::string packed = report::gzip(bytes_of(file.close()));
    const auto path = file.folder() / "report.sqlite.gz";
    write(path, packed);
    EXPECT_EQ(figure(read_export(path), "gpu.kernel.count"), 1);
    write(path, packed.substr(0, packed.size() - 9));
    EXPECT_THAT(refusal(path), StartsWith("truncated-gzip: could not read " + path.string()));
    const std::string magic("SQLite format 3\0", 16);
    write(path, report::gzip(magic + std::string(100, 'x')));
    EXPECT_THAT(refusal(path), StartsWith("sqlite-malformed: could not read " + path.string()));
}

} // namespace
} // namespace kvprof::import
