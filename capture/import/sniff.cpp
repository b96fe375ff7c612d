#include "capture/import/input_file.h"
#include "capture/import/readers.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace kvprof::import {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t kLookedAt = 4096;
constexpr auto kSqlite = "SQLite format 3\0"sv;

bool is_report_name(const std::filesystem::path& file) {
    const std::string suffix = file.extension().string();
    return suffix == ".nsys-rep" || suffix == ".qdrep" || suffix == ".qdstrm";
}

bool begins_json(std::string_view start) {
    const auto first = start.find_first_not_of(" \t\r\n");
    return first != start.npos && (start[first] == '{' || start[first] == '[');
}

} // namespace

FileFormat sniff(const std::filesystem::path& file) {
    std::array<char, kLookedAt> bytes{};
    const std::size_t size = InputFile(file).read_start(bytes);
    std::string_view start(bytes.data(), size);
    if (start.starts_with("\x1f\x8b")) {
        return FileFormat::gzip;
    }
    if (start.starts_with(kSqlite)) {
        return FileFormat::sqlite;
    }
    if (start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF") || start.starts_with("{\0"sv)
        || start.starts_with("[\0"sv)) {
        return FileFormat::utf16;
    }
    if (start.starts_with("\xEF\xBB\xBF")) {
        start.remove_prefix(3);
    }
    if (begins_json(start)) {
        return FileFormat::json;
    }
    // Reports have no documented first bytes: of what is nothing else, the name decides.
    return is_report_name(file) ? FileFormat::nsys_report : FileFormat::other;
}

} // namespace kvprof::import
