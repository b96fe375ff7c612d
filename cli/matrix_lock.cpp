#include "cli/matrix_lock.h"

#include "capture/model/error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace kvprof::cli {

namespace {

constexpr std::size_t kShortId = 8;
constexpr int kOwnerAndReaders = 0644;

[[noreturn]] void refuse_file(const std::string& path) {
    throw StoreError(
        fmt::format("could not lock {}: {}", path, std::generic_category().message(errno)),
        "choose another --db"
    );
}

/// Whether the name still means the open file: whoever held it before has removed it by the end.
bool is_there(const std::string& path, int file) {
    struct stat named {};

    struct stat open {};

    return stat(path.c_str(), &named) == 0 && fstat(file, &open) == 0 && named.st_ino == open.st_ino
           && named.st_dev == open.st_dev;
}

} // namespace

MatrixLock::MatrixLock(const std::filesystem::path& store, const std::string& experiment)
    : path_(fmt::format("{}-{}.lock", store.string(), experiment.substr(0, kShortId))) {
    while (true) {
        file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kOwnerAndReaders);
        if (file_ < 0) {
            refuse_file(path_);
        }
        if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
            close(file_);
            throw StoreError(
                fmt::format(
                    "could not go on with {}: another process measures it",
                    experiment.substr(0, kShortId)
                ),
                "wait until it has ended; kvprof show shows the rows that it has"
            );
        }
        if (is_there(path_, file_)) {
            return;
        }
        close(file_);
    }
}

MatrixLock::~MatrixLock() {
    unlink(path_.c_str());
    close(file_);
}

} // namespace kvprof::cli
