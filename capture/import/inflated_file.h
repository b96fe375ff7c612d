#pragma once

#include <filesystem>

namespace kvprof::import {

/// Whether a file is a gzip of an SQLite database, by its first bytes. @throws as InputFile
[[nodiscard]] bool is_gzip_of_sqlite(const std::filesystem::path& file);

/// The content of a gzip file as a file of its own, which only this user may read and which goes
/// with the object.
class InflatedFile {
  public:
    /// @throws RefusedError (truncated-gzip, gzip-crc, changed-while-read)
    /// @throws BadDataError when it does not fit into `folder`
    InflatedFile(const std::filesystem::path& file, const std::filesystem::path& folder);
    ~InflatedFile();
    InflatedFile(const InflatedFile&) = delete;
    InflatedFile& operator=(const InflatedFile&) = delete;
    InflatedFile(InflatedFile&&) = delete;
    InflatedFile& operator=(InflatedFile&&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  private:
    void inflate(const std::filesystem::path& file, int descriptor);
    void remove() noexcept;

    std::filesystem::path path_;
};

} // namespace kvprof::import
