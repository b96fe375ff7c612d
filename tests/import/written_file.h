#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace kvprof::test {

/// A file with the given bytes in a folder of its own, both gone with the object.
class WrittenFile {
  public:
    explicit WrittenFile(std::string_view bytes, std::string_view name = "trace.json") {
        std::string folder = testing::TempDir() + "kvprof-import-XXXXXX";
        if (mkdtemp(folder.data()) == nullptr) {
            throw std::runtime_error("could not make a folder like " + folder);
        }
        folder_ = folder;
        path_ = folder_ / name;
        append(bytes);
    }

    ~WrittenFile() { std::filesystem::remove_all(folder_); }

    WrittenFile(const WrittenFile&) = delete;
    WrittenFile& operator=(const WrittenFile&) = delete;
    WrittenFile(WrittenFile&&) = delete;
    WrittenFile& operator=(WrittenFile&&) = delete;

    void append(std::string_view bytes) const {
        std::ofstream(path_, std::ios::binary | std::ios::app)
            .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  private:
    std::filesystem::path folder_;
    std::filesystem::path path_;
};

} // namespace kvprof::test
