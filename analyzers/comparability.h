#pragma once

#include "analyzers/side.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kvprof::analyzers {

/// What a difference between two sides does to their comparison.
enum class Severity : std::uint8_t {
    blocks,       ///< nothing is compared
    blocks_times, ///< sampled metrics are not compared; counts and ledger bytes are
    warns         ///< compared, and said with the result
};

/// One reason why two sides are not, or not quite, alike.
struct Concern {
    Severity severity = Severity::warns;
    std::string field; ///< "executor", "device-uuid", "pool.state-slots", ...
    std::string text;  ///< one line with the values of both sides

    friend bool operator==(const Concern&, const Concern&) = default;
};

/// The most severe first.
[[nodiscard]] std::vector<Concern> comparability(const Side& base, const Side& candidate);

} // namespace kvprof::analyzers

template<>
struct kvprof::EnumNames<kvprof::analyzers::Severity> {
    using enum kvprof::analyzers::Severity;
    static constexpr std::array values{
        std::pair{blocks, "blocks"},
        std::pair{blocks_times, "blocks-times"},
        std::pair{warns, "warns"}};
};
