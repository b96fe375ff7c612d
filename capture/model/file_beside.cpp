#include "capture/model/file_beside.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace kvprof {

std::optional<std::filesystem::path> end_of_links(std::filesystem::path path) {
    constexpr int kMostLinks = 40; // as of Linux
    for (int link = 0; link < kMostLinks; ++link) {
        std::error_code is_no_link;
        const std::filesystem::path next = std::filesystem::read_symlink(path, is_no_link);
        if (is_no_link) {
            return path;
        }
        path = path.parent_path() / next; // which is `next` when that is absolute
    }
    errno = ELOOP;
    return std::nullopt;
}

std::optional<std::filesystem::path> make_beside(const std::filesystem::path& target) {
    std::string name = target.string() + ".XXXXXX";
    const int file = mkstemp(name.data());
    if (file < 0) {
        return std::nullopt;
    }

    struct stat old {};

    constexpr mode_t kReadWrite = 0666;
    constexpr mode_t kRights = 0777;
    const mode_t mask = umask(0);
    umask(mask);
    const mode_t rights = stat(target.c_str(), &old) == 0 ? old.st_mode : kReadWrite & ~mask;
    static_cast<void>(fchmod(file, rights & kRights)); // a file system without rights has its own
    close(file);
    return name;
}

} // namespace kvprof
