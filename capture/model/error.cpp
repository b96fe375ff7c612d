#include "capture/model/error.h"

#include <fmt/format.h>

#include <utility>

namespace kvprof {

Error::Error(const std::string& what, std::string hint)
    : std::runtime_error(what),
      hint_(std::move(hint)) {}

const std::string& Error::hint() const noexcept {
    return hint_;
}

std::string with_hint(const Error& error) {
    return error.hint().empty() ? error.what() : fmt::format("{} ({})", error.what(), error.hint());
}

} // namespace kvprof
