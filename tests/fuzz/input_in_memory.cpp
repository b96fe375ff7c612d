#include "tests/fuzz/input_in_memory.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace kvprof::fuzz {

InputInMemory::InputInMemory(std::span<const std::uint8_t> bytes) {
    std::string name = "/dev/shm/kvprof-fuzz-XXXXXX"; // SQLite opens files by their real names
    const int descriptor = mkstemp(name.data());
    while (!bytes.empty()) {
        const ssize_t written = write(descriptor, bytes.data(), bytes.size());
        if (written <= 0) {
            std::abort(); // no memory for a file: the machine's fault, and no finding
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    close(descriptor);
    path_ = name;
}

InputInMemory::~InputInMemory() {
    unlink(path_.c_str());
}

} // namespace kvprof::fuzz
