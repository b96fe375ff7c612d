#include "report/claims_words.h"
#include "report/document_parts.h"

namespace kvprof::report {

Part claims_part(const CheckedClaims& claims) {
    return {"claims", Weight::body, {{"", claims_table(claims), {}}}};
}

Document document_of(const CheckedClaims& claims) {
    Document document;
    document.title = claims.file.title.empty() ? "claims" : claims.file.title;
    document.lead = {describe_claims(claims)};
    document.parts.push_back({"", Weight::body, {{"", claims_table(claims), {}}}});
    return document;
}

} // namespace kvprof::report
