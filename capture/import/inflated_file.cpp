#include "capture/import/inflated_file.h"

#include "capture/import/byte_source.h"
#include "capture/import/refused.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace kvprof::import {

namespace {

constexpr std::string_view kSqlite{"SQLite format 3\0", 16};

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& folder, int cause) {
    throw BadDataError(
        fmt::format(
            "could not inflate {} into {}: {}", file.string(), folder, std::strerror(cause)
        ),
        "set TMPDIR to a folder with more room, or inflate it by hand: gunzip -k FILE"
    );
}

bool write_all(int descriptor, std::span<const char> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

} // namespace

bool is_gzip_of_sqlite(const std::filesystem::path& file) {
    ByteSource source(file);
    std::array<char, kSqlite.size()> first{};
    std::size_t filled = 0;
    while (source.is_gzip() && filled < first.size()) {
        const std::size_t more = source.read(std::span(first).subspan(filled));
        if (more == 0) {
            break;
        }
        filled += more;
    }
    return std::string_view(first.data(), filled) == kSqlite;
}

InflatedFile::InflatedFile(const std::filesystem::path& file, const std::filesystem::path& folder) {
    std::string name = (folder / "kvprof-import-XXXXXX").string();
    const int descriptor = ::mkstemp(name.data());
    if (descriptor < 0) {
        fail(file, folder.string(), errno);
    }
    path_ = name;
    try {
        inflate(file, descriptor);
    } catch (...) {
        ::close(descriptor);
        remove();
        throw;
    }
    ::close(descriptor);
}

InflatedFile::~InflatedFile() {
    remove();
}

void InflatedFile::remove() noexcept {
    std::error_code ignored; // a file left over is the only harm
    std::filesystem::remove(path_, ignored);
}

void InflatedFile::inflate(const std::filesystem::path& file, int descriptor) {
    constexpr std::size_t kBytes = std::size_t{1} << 20;
    ByteSource source(file);
    std::vector<char> buffer(kBytes);
    while (const std::size_t bytes = source.read(buffer)) {
        if (!write_all(descriptor, std::span(buffer).first(bytes))) {
            fail(file, path_.parent_path().string(), errno);
        }
    }
    if (source.is_truncated()) {
        throw RefusedError(
            "truncated-gzip",
            fmt::format("could not read {}: its gzip data ends early", file.string()),
            "copy or compress the export again"
        );
    }
    source.file().check_unchanged();
}

} // namespace kvprof::import
