#pragma once

#include <filesystem>

namespace kvprof::db {

/// A new file in the folder of a target, which it replaces when it is complete; without that it is
/// removed, with what SQLite keeps beside it. Internal to db/.
class BundleFile {
  public:
    /// A link is followed to where it ends. @throws UsageError when the target is no file, in no
    /// folder that takes one, or a store that is open somewhere.
    explicit BundleFile(const std::filesystem::path& target);
    BundleFile(const BundleFile&) = delete;
    BundleFile& operator=(const BundleFile&) = delete;
    ~BundleFile();

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

    /// @throws StoreError; then the target is as it was.
    void replace_target();

  private:
    std::filesystem::path target_;
    std::filesystem::path path_; ///< empty: it has become the target
};

} // namespace kvprof::db
