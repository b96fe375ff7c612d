#include "report/claims_json.h"

namespace kvprof::report {

namespace {

using analyzers::Json;

Json text_or_null(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

Json answer_object(const ClaimAnswer& answer) {
    return {
        {"claim", answer.claim.text},
        {"text", text_or_null(answer.claim.prose)},
        {"metric", answer.claim.metric},
        {"kind", to_string(answer.claim.kind)},
        {"case", text_or_null(answer.claim.cell)},
        {"line", answer.claim.line},
        {"cell", text_or_null(answer.cell)},
        {"verdict", to_string(answer.verdict)},
        {"measured", text_or_null(answer.measured)},
        {"why", text_or_null(answer.why)},
        {"runs_needed", answer.runs_needed ? Json(*answer.runs_needed) : Json(nullptr)}};
}

} // namespace

Json claims_object(const CheckedClaims& claims) {
    Json json{
        {"origin", claims.file.origin},
        {"title", text_or_null(claims.file.title)},
        {"exit_code", static_cast<int>(exit_code_of(claims))},
        {"claims", Json::array()}};
    for (const ClaimAnswer& answer : claims.answers) {
        json["claims"].push_back(answer_object(answer));
    }
    return json;
}

} // namespace kvprof::report
