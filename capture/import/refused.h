#pragma once

#include "capture/model/error.h"

#include <string>

namespace kvprof::import {

/// A file that is no profile, or no whole one. `word` is fixed, for scripts: "gzip-crc", "utf-16";
/// what() ends with it in brackets.
/// Nothing of a refused file is stored.
class RefusedError final : public BadDataError {
  public:
    RefusedError(std::string word, const std::string& what, std::string hint);

    [[nodiscard]] const std::string& word() const noexcept { return word_; }

  private:
    std::string word_;
};

} // namespace kvprof::import
