#include "db/store_file.h"

#include "db/schema.h"

#include <array>
#include <cstdint>
#include <fstream>

namespace kvprof::db {

bool is_store_file(const std::filesystem::path& file) {
    constexpr std::size_t kApplicationIdAt = 68; // of SQLite's header, big-endian
    constexpr std::size_t kHeader = 72;
    std::array<char, kHeader> header{};
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) {
        return false; // a FIFO would wait for its writer
    }
    std::ifstream stream(file, std::ios::binary);
    if (!stream.read(header.data(), header.size())) {
        return false;
    }
    std::int64_t id = 0;
    for (std::size_t i = kApplicationIdAt; i < kHeader; ++i) {
        id = id * 256 + static_cast<unsigned char>(header.at(i));
    }
    return id == kApplicationId;
}

} // namespace kvprof::db
