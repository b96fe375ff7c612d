#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace kvprof::test {

/// A folder of its own for a test's store, removed at the end.
class StoreFolder {
  public:
    StoreFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "kvprof-db-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) {
            throw std::runtime_error("could not create a folder for the test");
        }
        path_ = name;
    }

    StoreFolder(const StoreFolder&) = delete;
    StoreFolder& operator=(const StoreFolder&) = delete;

    ~StoreFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    [[nodiscard]] std::filesystem::path file(const std::string& name = "kvprof.db") const {
        return path_ / name;
    }

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

inline void write_file(const std::filesystem::path& path, const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
}

/// What the call throws, as "message | hint"; empty when it throws nothing of that kind.
template<typename Error, typename Call>
std::string error_of(Call&& call) {
    try {
        call();
    } catch (const Error& error) {
        return std::string(error.what()) + " | " + error.hint();
    }
    return {};
}

} // namespace kvprof::test
