#pragma once

#include "report/claims.h"

#include <optional>
#include <string>

namespace kvprof::report {

/// What is wrong with a sentence, and what would be right.
struct SentenceFault {
    std::string cause;
    std::string hint; ///< may be empty
};

/// Reads `claim.text` into metric, kind, value and tolerance: the grammar of docs/claims.md. Blanks
/// may stand anywhere between words; minus and plus-minus may be the signs of Unicode.
/// @return nothing when it was read
[[nodiscard]] std::optional<SentenceFault> read_sentence(Claim& claim);

} // namespace kvprof::report
