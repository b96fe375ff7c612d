#pragma once

#include "analyzers/cases.h"
#include "report/document.h"

#include <string>
#include <vector>

namespace kvprof::report {

// Parts of the document of a comparison, for document_of().

/// Rows of the first table that stand on the page; a reader of a pull request sees no more at once.
inline constexpr std::size_t kRowsOnPage = 8;

/// One row of a table that decides.
struct DecidingRow {
    analyzers::Verdict verdict{};
    std::vector<analyzers::Cell> cells;
};

/// Adds the table that decides. Where it has over kRowsOnPage rows, the page has those that are not
/// the same first. @return the others, as the detail "further NAME"; without rows where all fit
[[nodiscard]] Part add_deciding_rows(
    Document& document,
    const std::vector<analyzers::Column>& columns,
    std::vector<DecidingRow> rows,
    const std::string& name
);

/// Cases, compared: of `kvprof gate` with what the policy says of them.
[[nodiscard]] Document document_of(const Judged& judged, const Recipe& recipe);

/// "policy kvprof.toml: step_time, launches decide; alpha 0.05 (Holm)"; of a gate also what it does
/// when it can not decide.
[[nodiscard]] std::string describe_policy(const analyzers::Policy& policy, bool is_gate);
/// Adds verdict, reasons and the gated rows with their limits, what was accepted and remarked.
/// @return as add_deciding_rows()
[[nodiscard]] Part add_gate(Document& document, const analyzers::GateResult& result);

/// Undecided rows, stamps, concerns, notes: what bears on the verdict and so stands on the page. A
/// line names its cases where not all have it.
[[nodiscard]] Part remarks_part(const std::vector<analyzers::NamedCase>& cases);
/// The evidence of a lone comparison, a part for each kind.
void add_evidence(
    Document& document, const analyzers::Comparison& comparison, const Judged& judged
);
/// All of one case among several. What was changed is said where the document's title does not.
[[nodiscard]] Part
case_part(const analyzers::NamedCase& named, const Judged& judged, const std::string& title);
/// Experiments with their command lines and designs.
[[nodiscard]] analyzers::Section origin_section(const std::vector<ExperimentHead>& experiments);
/// The same, and the policy that decided.
[[nodiscard]] std::vector<analyzers::Section> origin_sections(const Judged& judged);

/// claim | measured | answer | why.
[[nodiscard]] Part claims_part(const CheckedClaims& claims);

} // namespace kvprof::report
