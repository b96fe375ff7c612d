#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace kvprof::import {

/// A regular file, open for reading, that remembers its size and time of change.
class InputFile {
  public:
    /// @throws RefusedError (not-a-file, empty-file); UsageError when it can not be opened.
    explicit InputFile(const std::filesystem::path& file);
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    InputFile(InputFile&&) = delete;
    InputFile& operator=(InputFile&&) = delete;

    /// Reads on. @returns the bytes read, 0 at the end. @throws BadDataError
    [[nodiscard]] std::size_t read(std::span<char> to);
    /// The first bytes, wherever read() stands. @returns how many there were
    [[nodiscard]] std::size_t read_start(std::span<char> to) const;

    /// @throws RefusedError (changed-while-read) when size or time are not those of opening.
    void check_unchanged() const;

    [[nodiscard]] const std::string& name() const noexcept { return name_; }

  private:
    struct Version {
        std::int64_t size = 0;
        std::int64_t changed_s = 0;
        std::int64_t changed_ns = 0;

        friend bool operator==(const Version&, const Version&) = default;
    };

    [[nodiscard]] Version version() const;

    std::string name_;
    int descriptor_ = -1;
    Version opened_;
};

} // namespace kvprof::import
