#pragma once

#include "analyzers/section.h"
#include "analyzers/selftest.h"
#include "report/report.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kvprof::report {

/// Where a part of a document stands: on the page, or folded away until it is asked for.
enum class Weight : std::uint8_t { body, detail };

/// Sections under one heading. Of a `detail` the title is what a reader opens.
struct Part {
    std::string title; ///< empty: the sections follow what stands before
    Weight weight = Weight::body;
    /// One without a title and a table is a paragraph.
    std::vector<analyzers::Section> sections;
};

/// A report as a reader meets it, for text, Markdown and HTML: plain words, nothing escaped.
/// Titles and sentences begin with a small letter and have no full stop: a renderer adds both.
struct Document {
    std::string title;                ///< "index-mode: rectangle -> stream"
    std::string judge = "verdict";    ///< what stands before the verdict; "gate" of a gate
    std::string verdict;              ///< "improved", "same (0)"; empty where nothing is judged
    std::vector<std::string> reasons; ///< what makes the verdict
    std::vector<std::string> lead;    ///< sentences: how it was measured, how rows are counted
    /// In falling importance: a renderer without room leaves out the last ones first.
    std::vector<Part> parts;
    std::vector<std::string> not_measured; ///< never left out
    std::string check;                     ///< how the report can be checked; may be empty
    std::string recipe; ///< recipe_json(), which the check needs; empty: nothing can be checked
};

/// The document of any report.
[[nodiscard]] Document document_of(const Report& report);

// Of what is no report, so that nothing in it can be checked.

[[nodiscard]] Document document_of(const Run& run);
[[nodiscard]] Document document_of(const Experiment& experiment);
[[nodiscard]] Document document_of(const analyzers::Calibration& calibration);
[[nodiscard]] Document document_of(const CheckedClaims& claims);
/// @param design how the rows were made: "8 + 8 runs a gate; a step takes 3.58 ms, ..."
[[nodiscard]] Document
document_of(const std::vector<analyzers::SelftestRow>& rows, const std::string& design);

} // namespace kvprof::report
