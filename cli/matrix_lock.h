#pragma once

#include <filesystem>
#include <string>

namespace kvprof::cli {

/// Held while a matrix or a tuning is measured: a second process that went on with it would measure
/// its rows again. A file beside the store, free again when the process ends, however that ends.
class MatrixLock {
  public:
    /// @throws StoreError when another process holds it, or when there can be no file.
    MatrixLock(const std::filesystem::path& store, const std::string& experiment);
    MatrixLock(const MatrixLock&) = delete;
    MatrixLock& operator=(const MatrixLock&) = delete;
    ~MatrixLock();

  private:
    std::string path_;
    int file_ = -1;
};

} // namespace kvprof::cli
