#pragma once

#include <cstdint>
#include <random>

namespace kvprof::test {

/// A number in [0, bound). Unlike std::uniform_int_distribution, the same with every library.
[[nodiscard]] inline std::int64_t below(std::mt19937& random, std::int64_t bound) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(bound));
}

} // namespace kvprof::test
