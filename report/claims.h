#pragma once

#include "analyzers/compare.h"
#include "capture/model/enum_names.h"
#include "capture/model/exit_code.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kvprof::report {

/// What a claim is about.
enum class ClaimKind : std::uint8_t {
    difference, ///< "graph_memory B-A = -1.0 GiB +- 2 MiB"
    ratio,      ///< "step_time B/A = -1.5% +- 0.3%": a change in percent of the base
    base,       ///< "launches A = 27"
    candidate,  ///< "launches B = 26"
    same,       ///< "step_time same within 1%": has to be proven
    improved,   ///< "step_time improved", "step_time improved by 1%": at least
    regressed
};

/// One sentence of a claims file.
struct Claim {
    std::string text;   ///< as it is written: "launches B-A = -1"
    std::string prose;  ///< what the author says in words; may be empty
    std::string metric; ///< an alias of the policy ("step_time") or an id of a report
    std::string cell;   ///< FIELD=GLOB,... of the cases it is about; empty: all
    ClaimKind kind = ClaimKind::difference;
    double value = 0.0;     ///< in the metric's unit (ns, bytes, a count), or a share (0.01 is 1 %)
    double tolerance = 0.0; ///< as `value`; 0: exactly, for an exact metric
    bool is_share = false;  ///< value and tolerance are shares of the base
    std::int64_t line = 0;

    friend bool operator==(const Claim&, const Claim&) = default;
};

/// claims.toml.
struct ClaimFile {
    std::string origin;
    std::string title; ///< of the report; may be empty
    std::vector<Claim> claims;

    friend bool operator==(const ClaimFile&, const ClaimFile&) = default;
};

enum class ClaimVerdict : std::uint8_t { supported, contradicted, not_tested, undecided };

/// What the runs say to one claim in one case.
struct ClaimAnswer {
    Claim claim;
    std::string cell; ///< "batch=8"; empty for a lone case
    ClaimVerdict verdict = ClaimVerdict::not_tested;
    std::string measured;                   ///< "-0.32 % [-0.38, -0.24]", "27 -> 26 (-1)"
    std::string why;                        ///< "the interval reaches beyond 1 %"; may be empty
    std::optional<std::size_t> runs_needed; ///< a side, that would decide it
};

struct CheckedClaims {
    ClaimFile file;
    std::vector<ClaimAnswer> answers; ///< by claim, then by case
};

/// Reads a claims file. @param origin the file's name, for messages
/// @throws UsageError as "FILE:LINE:COLUMN: ..." for what is no TOML, an unknown key, metric or
/// unit (with the nearest), a sentence that is none, and a file without claims.
[[nodiscard]] ClaimFile parse_claims(std::string_view toml, std::string_view origin);

/// Answers every claim for every case that it names; one that names none is not tested.
[[nodiscard]] CheckedClaims check_claims(
    ClaimFile file, const std::vector<analyzers::Comparison>& cases, const analyzers::Policy& policy
);

/// 4 when a claim was not tested, else 1 when one is contradicted, else 3 when one can not be
/// decided, else 0.
[[nodiscard]] ExitCode exit_code_of(const CheckedClaims& claims);

} // namespace kvprof::report

template<>
struct kvprof::EnumNames<kvprof::report::ClaimKind> {
    using enum kvprof::report::ClaimKind;
    static constexpr std::array values{
        std::pair{difference, "B-A"},
        std::pair{ratio, "B/A"},
        std::pair{base, "A"},
        std::pair{candidate, "B"},
        std::pair{same, "same"},
        std::pair{improved, "improved"},
        std::pair{regressed, "regressed"}};
};

template<>
struct kvprof::EnumNames<kvprof::report::ClaimVerdict> {
    using enum kvprof::report::ClaimVerdict;
    static constexpr std::array values{
        std::pair{supported, "supported"},
        std::pair{contradicted, "contradicted"},
        std::pair{not_tested, "not tested"},
        std::pair{undecided, "cannot be decided"}};
};
