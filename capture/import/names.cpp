#include "capture/import/names.h"

#include "capture/import/interned.h"

namespace kvprof::import {

namespace {

/// FNV-1a, spread: the same on every machine.
std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char byte : text) {
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
    }
    return mixed(hash);
}

} // namespace

Names::Names() {
    static_cast<void>(id_of(""));
}

std::uint32_t Names::id_of(std::string_view text) {
    if (const auto found = ids_.find(text); found != ids_.end()) {
        return found->second;
    }
    const auto id = static_cast<std::uint32_t>(texts_.size());
    ids_.emplace(texts_.emplace_back(text), id);
    hashes_.push_back(hash_of(text));
    return id;
}

} // namespace kvprof::import
