#include "capture/import/names.h"

namespace kvprof::import {

Names::Names() {
    static_cast<void>(id_of(""));
}

std::uint32_t Names::id_of(std::string_view text) {
    if (const auto found = ids_.find(text); found != ids_.end()) {
        return found->second;
    }
    const auto id = static_cast<std::uint32_t>(texts_.size());
    ids_.emplace(texts_.emplace_back(text), id);
    return id;
}

} // namespace kvprof::import
