#pragma once

#include "capture/model/params.h"
#include "capture/model/run.h"

#include <string>
#include <string_view>
#include <vector>

namespace kvprof::db {

/// A reference cut into what names an experiment and the fields that choose runs in it.
struct VariantReference {
    std::string text; ///< the whole reference
    std::string base;
    std::vector<Param> fields; ///< values in the form in which they are stored
};

/// The field of a reference that chooses the runs of one side of an A/B experiment.
inline constexpr std::string_view kSideField = "side";

/// Cuts `REF/FIELD=VALUE[,FIELD=VALUE]` at the first slash that a field of the step or measure
/// specification, or `side`, follows; a reference without one is all base. @throws UsageError when
/// a field is unknown or a text is no value of it.
[[nodiscard]] VariantReference split_reference(std::string_view reference);

/// Whether the run has all these values: in its step or measure specification, or as its side.
[[nodiscard]] bool has_fields(const Run& run, const std::vector<Param>& fields);

} // namespace kvprof::db
