#pragma once

#include "analyzers/side.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kvprof::analyzers {

/// What a difference between two sides does to their comparison.
enum class Severity : std::uint8_t {
    blocks, ///< no row is judged; figures are shown
    warns   ///< compared, and said with the result
};

/// One reason why two sides are not, or not quite, alike.
struct Concern {
    Severity severity = Severity::warns;
    std::string field; ///< "executor", "device-uuid", "pool.state-slots", ...
    std::string text;  ///< one line with the values of both sides

    friend bool operator==(const Concern&, const Concern&) = default;
};

/// What was said beforehand about differences between the sides.
struct Declared {
    std::vector<std::string> treatment;        ///< fields that are meant to differ
    std::vector<std::string> allowed_mismatch; ///< fields that may; each that does gets a stamp
    bool is_strict_env = false;                ///< facts of the environment that warn block
    bool is_stored_baseline = false; ///< another time is another boot, and may be another device
};

/// Whether two sides may be compared.
struct Comparability {
    std::vector<Concern> concerns;      ///< the most severe first
    std::vector<std::string> treatment; ///< declared fields that do differ
    std::vector<std::string> stamps;    ///< "compared although batch differs: 8 -> 64"
};

/// Every field of the step, the op, its launches, the L2 mode, the executor, the cached block, the
/// pools, what the device is and how it is set, and the method must be equal or declared: else it
/// blocks. Other facts of the environment warn, and of a stored baseline so does the device's id.
/// The git revision is what is compared when no option differs.
[[nodiscard]] Comparability
comparability(const Side& base, const Side& candidate, const Declared& declared = {});

} // namespace kvprof::analyzers

template<>
struct kvprof::EnumNames<kvprof::analyzers::Severity> {
    using enum kvprof::analyzers::Severity;
    static constexpr std::array values{std::pair{blocks, "blocks"}, std::pair{warns, "warns"}};
};
