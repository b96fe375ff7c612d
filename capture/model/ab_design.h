#pragma once

#include "capture/model/enum_names.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kvprof {

/// a is the base, b the candidate.
enum class AbSide : std::uint8_t { a, b };

template<>
struct EnumNames<AbSide> {
    static constexpr std::array values{std::pair{AbSide::a, "a"}, std::pair{AbSide::b, "b"}};
};

/// Where a run stands in an A/B experiment. Blocks hold four runs, A B B A or B A A B; places 0 and
/// 1 of a block are one pair, 2 and 3 another.
struct AbPlace {
    AbSide side{};
    std::int64_t block = 0;   ///< of its case, from 0
    std::int64_t place = 0;   ///< in the block, 0 to 3
    std::int64_t attempt = 0; ///< 1 and more replace a void run

    [[nodiscard]] constexpr std::int64_t pair() const { return block * 2 + place / 2; }

    friend bool operator==(const AbPlace&, const AbPlace&) = default;
};

/// How an A/B experiment was laid out before it began.
struct AbDesign {
    std::string a; ///< the option set as it was written; empty: as given
    std::string b;
    std::int64_t runs = 6;    ///< a side and case; the most, when there are several looks
    std::int64_t looks = 1;   ///< moments at which it could end: alpha is shared among them
    std::int64_t seed = 0;    ///< of the first letters of the blocks
    std::int64_t attempt = 1; ///< 2: measured again, to confirm
    /// The fields that differ between the sides and are meant to; "program" for another binary.
    std::vector<std::string> treatment;

    friend bool operator==(const AbDesign&, const AbDesign&) = default;
};

} // namespace kvprof
