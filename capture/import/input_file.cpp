#include "capture/import/input_file.h"

#include "capture/import/refused.h"
#include "capture/model/error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace kvprof::import {

namespace {

BadDataError read_failure(const std::string& name, int error) {
    return BadDataError(
        fmt::format("could not read {}: {}", name, std::strerror(error)),
        "copy the file to a local disk, and import the copy"
    );
}

} // namespace

InputFile::InputFile(const std::filesystem::path& file)
    : name_(file.string()) {
    struct stat found {};

    if (::stat(file.c_str(), &found) != 0) {
        throw UsageError(
            fmt::format("could not open {}: {}", name_, std::strerror(errno)), "check the path"
        );
    }
    if (!S_ISREG(found.st_mode)) {
        throw RefusedError(
            "not-a-file",
            fmt::format("could not read {}: it is no regular file", name_),
            "name the profile's own file"
        );
    }
    // Should a FIFO have taken its place since then, opening it would wait for a writer.
    descriptor_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor_ < 0) {
        throw UsageError(
            fmt::format("could not open {}: {}", name_, std::strerror(errno)),
            "check its permissions"
        );
    }
    opened_ = version();
    if (opened_.size == 0) {
        ::close(descriptor_);
        throw RefusedError(
            "empty-file",
            fmt::format("could not read {}: it has 0 bytes", name_),
            "capture the profile again"
        );
    }
}

InputFile::~InputFile() {
    ::close(descriptor_);
}

std::size_t InputFile::read(std::span<char> to) {
    while (true) {
        const auto got = ::read(descriptor_, to.data(), to.size());
        if (got >= 0) {
            return static_cast<std::size_t>(got);
        }
        if (errno != EINTR) {
            throw read_failure(name_, errno);
        }
    }
}

std::size_t InputFile::read_start(std::span<char> to) const {
    const auto got = ::pread(descriptor_, to.data(), to.size(), 0);
    if (got < 0) {
        throw read_failure(name_, errno);
    }
    return static_cast<std::size_t>(got);
}

InputFile::Version InputFile::version() const {
    struct stat found {};

    if (::fstat(descriptor_, &found) != 0) {
        throw read_failure(name_, errno);
    }
    return {
        .size = found.st_size,
        .changed_s = found.st_mtim.tv_sec,
        .changed_ns = found.st_mtim.tv_nsec};
}

void InputFile::check_unchanged() const {
    const Version now = version();
    if (now == opened_) {
        return;
    }
    throw RefusedError(
        "changed-while-read",
        fmt::format(
            "could not read {}: it changed meanwhile, from {} to {} bytes",
            name_,
            opened_.size,
            now.size
        ),
        "wait until the program that writes it has ended"
    );
}

} // namespace kvprof::import
