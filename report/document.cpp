#include "report/document.h"

#include "report/document_parts.h"

#include <fmt/format.h>

#include <type_traits>

namespace kvprof::report {

namespace {

/// The author's title leads, and what was changed follows.
void add_claims(Document& document, const CheckedClaims& claims) {
    if (!claims.file.title.empty()) {
        document.lead.insert(document.lead.begin(), document.title);
        document.title = claims.file.title;
    }
    document.parts.insert(document.parts.begin(), claims_part(claims));
}

/// What renderers would have to skip.
void drop_empty_parts(Document& document) {
    for (Part& part : document.parts) {
        std::erase_if(part.sections, [](const analyzers::Section& each) { return each.empty(); });
    }
    std::erase_if(document.parts, [](const Part& part) { return part.sections.empty(); });
}

/// Which program wrote it, in the last part that is folded away.
void add_tool(Document& document, const Tool& tool) {
    const std::string line = "this report was written by kvprof " + tool.version;
    if (document.parts.empty() || document.parts.back().weight != Weight::detail) {
        document.parts.push_back({"how it was reported", Weight::detail, {}});
    }
    document.parts.back().sections.push_back({"report", std::nullopt, {line}});
}

} // namespace

Document document_of(const Report& report) {
    Document document = std::visit(
        [&](const auto& subject) {
            if constexpr (std::is_same_v<std::decay_t<decltype(subject)>, Judged>) {
                return document_of(subject, report.recipe);
            } else {
                return document_of(subject);
            }
        },
        report.subject
    );
    drop_empty_parts(document);
    if (document.not_measured.empty()) {
        document.not_measured = {"nothing: every pass ran, and every row is decided"};
    }
    if (report.claims) {
        add_claims(document, *report.claims);
    }
    add_tool(document, report.tool);
    document.check =
        fmt::format("report {}; check with kvprof verify FILE", report_id(report.recipe));
    document.recipe = recipe_json(report.recipe);
    return document;
}

} // namespace kvprof::report
