#include "capture/model/error.h"

#include <utility>

namespace kvprof {

Error::Error(const std::string& what, std::string hint)
    : std::runtime_error(what),
      hint_(std::move(hint)) {}

const std::string& Error::hint() const noexcept {
    return hint_;
}

} // namespace kvprof
