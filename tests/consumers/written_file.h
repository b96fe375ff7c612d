#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace kvprof::test {

/// @throws std::runtime_error when not all of it could be written.
inline void write(const std::filesystem::path& file, const std::string& text) {
    std::ofstream out(file, std::ios::binary);
    out << text;
    if (!out.flush()) {
        throw std::runtime_error("could not write " + file.string());
    }
}

} // namespace kvprof::test
