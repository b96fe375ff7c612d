#include "capture/process_memory.h"

#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <fstream>
#include <string>

namespace kvprof {

std::optional<Bytes> resident_in(std::string_view statm, Bytes page) {
    const std::size_t blank = statm.find(' ');
    if (blank == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view field = statm.substr(blank + 1);
    std::int64_t pages = 0;
    const auto [end, failure] = std::from_chars(field.data(), field.data() + field.size(), pages);
    if (failure != std::errc()) {
        return std::nullopt;
    }
    return Bytes{pages * page.count};
}

std::optional<Bytes> resident_memory() {
    std::ifstream file("/proc/self/statm");
    std::string line;
    std::getline(file, line);
    return resident_in(line, Bytes{sysconf(_SC_PAGESIZE)});
}

} // namespace kvprof
