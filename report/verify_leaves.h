#pragma once

#include "report/verify.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::report {

/// One value of a document, under its path.
struct Leaf {
    std::string where; ///< "/metrics/0/p", "/testsuites/testsuite[1]/@time"
    std::string text;  ///< a number as it is spelt; of a list or an object how many it holds
    bool is_size = false;
};

using Leaves = std::vector<Leaf>;

/// Every value of a JSON document in its order, a member that is there twice twice.
/// @return nothing when it is no JSON
[[nodiscard]] std::optional<Leaves> json_leaves(std::string_view json);

/// Of a document that has one JSON value a line; the path begins with "line 3, ".
[[nodiscard]] std::optional<Leaves> json_lines_leaves(std::string_view lines);

/// Every attribute, text and comment of an XML document. @return nothing when it is no XML
[[nodiscard]] std::optional<Leaves> xml_leaves(std::string_view xml);

[[nodiscard]] Verification compare_leaves(const Leaves& reported, const Leaves& derived);

/// Line by line, for all other forms.
[[nodiscard]] Verification
compare_lines(std::string_view reported, std::string_view derived, Format format);

} // namespace kvprof::report
