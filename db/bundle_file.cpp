#include "db/bundle_file.h"

#include "capture/model/error.h"
#include "capture/model/file_beside.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

namespace kvprof::db {

namespace {

[[noreturn]] void
refuse(const std::filesystem::path& target, const std::string& why, const std::string& hint) {
    throw UsageError(fmt::format("could not write {}: {}", target.string(), why), hint);
}

void require_replaceable(const std::filesystem::path& target) {
    using std::filesystem::file_type;
    std::error_code failure;
    const file_type type = std::filesystem::status(target, failure).type();
    if (type == file_type::directory) {
        refuse(target, "it is a folder", "name a file in it");
    } else if (type != file_type::not_found && type != file_type::regular) {
        const std::string why = type == file_type::none ? failure.message() : "it is no file";
        refuse(target, why, "name a file, or one that is not there yet");
    } else if (type == file_type::regular && access(target.c_str(), W_OK) != 0) {
        refuse(target, std::strerror(errno), "name a file that can be written");
    }
    // The log of the old content would be taken for that of the new one.
    for (const char* log : {"-wal", "-journal"}) {
        if (std::filesystem::exists(target.string() + log, failure)) {
            refuse(
                target,
                fmt::format("it is a database in use: {}{} lies beside it", target.string(), log),
                fmt::format(
                    "name another file; when no program has it open, tidy up with: kvprof ls --db "
                    "{}",
                    target.string()
                )
            );
        }
    }
}

std::filesystem::path target_of(const std::filesystem::path& path) {
    const auto target = end_of_links(path);
    if (!target) {
        refuse(path, std::strerror(errno), "name a file");
    }
    return *target;
}

/// Errno says what failed.
bool is_on_disk(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool is_done = file >= 0 && fsync(file) == 0;
    if (file >= 0) {
        close(file);
    }
    return is_done;
}

} // namespace

BundleFile::BundleFile(const std::filesystem::path& target)
    : target_(target_of(target)) {
    require_replaceable(target_);
    const auto file = make_beside(target_);
    if (!file) {
        refuse(target_, std::strerror(errno), "name a file in a folder that can be written");
    }
    path_ = *file;
}

BundleFile::~BundleFile() {
    if (path_.empty()) {
        return;
    }
    for (const char* beside : {"", "-journal", "-wal", "-shm"}) {
        std::error_code ignored; // most are not there
        std::filesystem::remove(path_.string() + beside, ignored);
    }
}

void BundleFile::replace_target() {
    if (!is_on_disk(path_) || std::rename(path_.c_str(), target_.c_str()) != 0) {
        throw StoreError(
            fmt::format("could not write {}: {}", target_.string(), std::strerror(errno)),
            "name a file on another disk"
        );
    }
    path_.clear();
}

} // namespace kvprof::db
