#include "analyzers/cell_pattern.h"
#include "capture/model/error.h"
#include "capture/model/params.h"
#include "report/claims.h"
#include "report/claims_sentence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace kvprof::report {

namespace {

using Keys = std::vector<std::string_view>;

/// Where claims are read from: every refusal names the place.
struct ClaimSource {
    std::string_view name;

    [[noreturn]] void
    refuse(const toml::source_position& at, std::string_view cause, std::string hint = {}) const {
        throw UsageError(
            fmt::format("{}:{}:{}: could not read the claims: {}", name, at.line, at.column, cause),
            hint.empty() ? "docs/claims.md shows every form" : std::move(hint)
        );
    }

    [[noreturn]] void
    refuse(const toml::node& node, std::string_view cause, std::string hint = {}) const {
        refuse(node.source().begin, cause, std::move(hint));
    }

    /// A text that is not empty.
    [[nodiscard]] std::string text(const toml::node& node, std::string_view what) const {
        auto value = node.value_exact<std::string>();
        if (!value || value->empty()) {
            refuse(node, fmt::format("{} must be a text", what));
        }
        return *std::move(value);
    }

    void allow(const toml::table& table, const Keys& keys) const {
        for (const auto& [key, node] : table) {
            if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) {
                continue;
            }
            const std::string_view close = nearest(key.str(), keys);
            refuse(
                key.source().begin,
                fmt::format(
                    "there is no key \"{}\" here, only {}", key.str(), fmt::join(keys, ", ")
                ),
                close.empty() ? std::string() : fmt::format("did you mean \"{}\"?", close)
            );
        }
    }
};

Claim read_claim(const toml::node& node, ClaimSource source) {
    Claim claim;
    claim.text = source.text(node, "a claim");
    claim.line = node.source().begin.line;
    if (std::optional<SentenceFault> fault = read_sentence(claim)) {
        source.refuse(node, fault->cause, std::move(fault->hint));
    }
    return claim;
}

/// [[claim]]
Claim read_table(const toml::node& node, ClaimSource source) {
    const toml::table* const table = node.as_table();
    if (table == nullptr) {
        source.refuse(node, "claim must be a list of tables: [[claim]]");
    }
    source.allow(*table, {"that", "text", "case"});
    const toml::node* const sentence = table->get("that");
    if (sentence == nullptr) {
        source.refuse(node, "the key \"that\" is missing", "as in that = \"launches B-A = -1\"");
    }
    Claim claim = read_claim(*sentence, source);
    if (const toml::node* const prose = table->get("text")) {
        claim.prose = source.text(*prose, "text");
    }
    if (const toml::node* const cell = table->get("case")) {
        claim.cell = source.text(*cell, "case");
        try {
            static_cast<void>(analyzers::parse_cell_pattern(claim.cell));
        } catch (const UsageError& failure) {
            source.refuse(*cell, failure.what(), failure.hint());
        }
    }
    return claim;
}

const toml::array& list_in(const toml::node& node, std::string_view key, ClaimSource source) {
    if (node.as_array() == nullptr) {
        source.refuse(
            node,
            key == "claim" ? "claim must be a list of tables: [[claim]]"
                           : "claims must be a list of texts: [\"launches B-A = -1\"]"
        );
    }
    return *node.as_array();
}

std::vector<Claim> read_claims(const toml::table& table, ClaimSource source) {
    std::vector<Claim> claims;
    if (const toml::node* const sentences = table.get("claims")) {
        for (const toml::node& sentence : list_in(*sentences, "claims", source)) {
            claims.push_back(read_claim(sentence, source));
        }
    }
    if (const toml::node* const tables = table.get("claim")) {
        for (const toml::node& one : list_in(*tables, "claim", source)) {
            claims.push_back(read_table(one, source));
        }
    }
    return claims;
}

} // namespace

ClaimFile parse_claims(std::string_view toml, std::string_view origin) {
    const ClaimSource source{origin};
    toml::table table;
    try {
        table = toml::parse(toml, origin);
    } catch (const toml::parse_error& failure) {
        source.refuse(failure.source().begin, failure.description());
    }
    source.allow(table, {"version", "title", "claims", "claim"});
    if (const toml::node* const version = table.get("version");
        version != nullptr && version->value_exact<std::int64_t>() != 1) {
        source.refuse(*version, "this program reads version 1");
    }
    ClaimFile file;
    file.origin = origin;
    if (const toml::node* const title = table.get("title")) {
        file.title = source.text(*title, "title");
    }
    file.claims = read_claims(table, source);
    if (file.claims.empty()) {
        source.refuse(
            toml::source_position{1, 1},
            "there is no claim",
            "as in claims = [\"launches B-A = -1\"]"
        );
    }
    return file;
}

} // namespace kvprof::report
