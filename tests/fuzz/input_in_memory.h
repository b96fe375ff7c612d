#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace kvprof::fuzz {

/// A file in memory that holds the bytes of one input, gone with the object.
class InputInMemory {
  public:
    explicit InputInMemory(std::span<const std::uint8_t> bytes);
    ~InputInMemory();
    InputInMemory(const InputInMemory&) = delete;
    InputInMemory& operator=(const InputInMemory&) = delete;
    InputInMemory(InputInMemory&&) = delete;
    InputInMemory& operator=(InputInMemory&&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  private:
    std::filesystem::path path_;
};

} // namespace kvprof::fuzz
