#pragma once

#include "capture/import/input_file.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace kvprof::import {

/// The text of a file, plain or inflated (gzip of any number of members), from start to end.
class ByteSource {
  public:
    /// @throws as InputFile
    explicit ByteSource(const std::filesystem::path& file);
    ~ByteSource();
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;
    ByteSource(ByteSource&&) = delete;
    ByteSource& operator=(ByteSource&&) = delete;

    /// Reads on. @returns the bytes of text, 0 at its end.
    /// @throws RefusedError (gzip-crc) when the file does not hold what was compressed
    [[nodiscard]] std::size_t read(std::span<char> to);
    /// Reads to the end, so that all checksums were compared.
    void drain();

    /// The last member of gzip ended early. Known at the end.
    [[nodiscard]] bool is_truncated() const noexcept { return truncated_; }

    /// Something that is no gzip follows the last member. Known at the end.
    [[nodiscard]] bool has_trailing_data() const noexcept { return trailing_; }

    [[nodiscard]] bool is_gzip() const noexcept { return inflater_ != nullptr; }

    [[nodiscard]] const InputFile& file() const noexcept { return file_; }

  private:
    struct Inflater;

    [[nodiscard]] std::size_t inflate_into(std::span<char> to);
    [[nodiscard]] bool begin_member();

    InputFile file_;
    std::unique_ptr<Inflater> inflater_;
    bool truncated_ = false;
    bool trailing_ = false;
};

} // namespace kvprof::import
