#include "cli/messages.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace kvprof::cli {

void say(const std::string& text, std::FILE* file) noexcept {
    static_cast<void>(std::fwrite(text.data(), 1, text.size(), file));
    static_cast<void>(std::fflush(file));
}

void hold_standard_streams() noexcept {
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number) {
        if (fcntl(number, F_GETFD) < 0 && errno == EBADF) {
            // The lowest free number is this one; a read-only file keeps writes failing.
            static_cast<void>(open("/dev/null", O_RDONLY));
        }
    }
}

} // namespace kvprof::cli
