#include "capture/import/refused.h"

#include <utility>

namespace kvprof::import {

RefusedError::RefusedError(std::string word, const std::string& what, std::string hint)
    : BadDataError(what + " [" + word + "]", std::move(hint)),
      word_(std::move(word)) {}

} // namespace kvprof::import
