#pragma once

#include "capture/experiment/design.h"
#include "capture/model/params.h"

#include <string>
#include <string_view>
#include <vector>

namespace kvprof::experiment {

/// What one side of an A/B experiment changes of the options that both have.
struct OptionSet {
    std::string text; ///< as it was written
    std::vector<Param> fields;

    friend bool operator==(const OptionSet&, const OptionSet&) = default;
};

/// Reads "FIELD=VALUE,FIELD=VALUE", or the TOML file of that name whose keys are options
/// (`batch = 64`). The empty text changes nothing. "program" names the kvprof binary that measures
/// the side.
/// @throws UsageError for an unknown field (with the nearest), a field named twice, and a file
/// (with line and column) that is no TOML or holds something else.
[[nodiscard]] OptionSet parse_option_set(std::string_view text);

/// Sets the fields of a cell, program included. @throws UsageError for a value that is none.
void apply(const OptionSet& options, Cell& cell);

/// The names of all fields in which two cells differ: what an A/B experiment is about.
[[nodiscard]] std::vector<std::string> differing_fields(const Cell& a, const Cell& b);

} // namespace kvprof::experiment
