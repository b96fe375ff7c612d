#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kvprof::import {

/// Texts, each held once. An id is the place of its first appearance; 0 is the empty text.
class Names {
  public:
    Names();

    [[nodiscard]] std::uint32_t id_of(std::string_view text);

    [[nodiscard]] const std::string& text(std::uint32_t id) const { return texts_.at(id); }

    /// Of the text alone: the same wherever in a file it first stood.
    [[nodiscard]] std::uint64_t hash(std::uint32_t id) const { return hashes_.at(id); }

    [[nodiscard]] std::size_t size() const noexcept { return texts_.size(); }

  private:
    std::deque<std::string> texts_; // texts do not move: the map's keys look into them
    std::vector<std::uint64_t> hashes_;
    std::unordered_map<std::string_view, std::uint32_t> ids_;
};

} // namespace kvprof::import
