#include "analyzers/grouped_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>

namespace kvprof::analyzers {

void GroupedLines::add(const std::string& line, const std::string& name) {
    const auto found = std::find_if(groups_.begin(), groups_.end(), [&](const auto& group) {
        return group.first == line;
    });
    if (found == groups_.end()) {
        groups_.push_back({line, {name}});
    } else {
        found->second.push_back(name);
    }
}

std::vector<std::string> GroupedLines::lines() const {
    constexpr std::size_t kMostNames = 3;
    std::vector<std::string> lines;
    for (const auto& [line, names] : groups_) {
        const std::size_t named = std::min(kMostNames, names.size());
        const auto end = names.begin() + static_cast<std::ptrdiff_t>(named);
        std::string who = fmt::format("{}", fmt::join(names.begin(), end, ", "));
        if (names.size() > named) {
            who += fmt::format(" and {} more", names.size() - named);
        }
        lines.push_back(who + ": " + line);
    }
    return lines;
}

} // namespace kvprof::analyzers
