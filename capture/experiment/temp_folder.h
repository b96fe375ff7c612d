#pragma once

#include <filesystem>

namespace kvprof::experiment {

/// A folder that only this user can read, removed with all that it holds on destruction.
class TempFolder {
  public:
    /// Under TMPDIR, or /tmp. @throws UnavailableError when no folder can be made there.
    TempFolder();
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;
    ~TempFolder();

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  private:
    std::filesystem::path path_;
};

} // namespace kvprof::experiment
