#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace SQLite {
class Database;
} // namespace SQLite

namespace kvprof::test {

/// An SQLite export of Nsight Systems in a folder of its own, removed at the end. It begins with
/// StringIds, KERNEL and RUNTIME tables, empty, and its version.
class NsysExport {
  public:
    explicit NsysExport(const std::string& schema = "3.25.0");
    ~NsysExport();
    NsysExport(const NsysExport&) = delete;
    NsysExport& operator=(const NsysExport&) = delete;

    void run(const std::string& sql);
    /// A text of StringIds. @returns its id
    std::int64_t text(const std::string& value);

    struct Call {
        std::string name = "cudaLaunchKernel_v7000";
        std::int64_t start = 0;
        std::int64_t end = 10;
        std::int64_t correlation = 1;
        std::int64_t pid = 100;
        std::int64_t event_class = 0;
    };

    void call(const Call& call);

    struct Kernel {
        std::string name = "gemm";
        std::int64_t start = 0;
        std::int64_t end = 10;
        std::int64_t correlation = 1;
        std::int64_t pid = 100;
        std::int64_t device = 0;
        std::int64_t node = 0;
    };

    void kernel(const Kernel& kernel);

    /// Closes the file: nobody may be writing while it is read.
    [[nodiscard]] const std::filesystem::path& close();

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

    /// globalPid or globalTid.
    [[nodiscard]] static std::int64_t global(std::int64_t pid, std::int64_t tid = 0);

  private:
    std::filesystem::path folder_;
    std::filesystem::path file_;
    std::unique_ptr<SQLite::Database> database_;
    std::int64_t texts_ = 0;
};

} // namespace kvprof::test
