#include "report/claims_sentence.h"

#include "analyzers/limit_text.h"
#include "analyzers/metric_names.h"
#include "capture/model/params.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace kvprof::report {

namespace {

using analyzers::Direction;
using analyzers::MetricDef;
using analyzers::MetricKind;
using analyzers::Quantity;

using Fault = std::optional<SentenceFault>;

constexpr std::string_view kForms =
    "a claim is METRIC B-A = VALUE +- VALUE, METRIC B/A = PERCENT +- PERCENT, METRIC A = VALUE, "
    "METRIC B = VALUE, METRIC same within LIMIT, or METRIC improved (or regressed) by LIMIT";

/// How people and their editors write what the grammar has one sign for.
constexpr std::array kSpellings{
    std::pair<std::string_view, std::string_view>{"\u2212", "-"}, // minus
    std::pair<std::string_view, std::string_view>{"\u2013", "-"}, // en dash
    std::pair<std::string_view, std::string_view>{"\u00b1", "+-"},
    std::pair<std::string_view, std::string_view>{"+/-", "+-"},
    std::pair<std::string_view, std::string_view>{"\u00b5s", "us"}, // micro
    std::pair<std::string_view, std::string_view>{"\u03bcs", "us"}, // mu
    std::pair<std::string_view, std::string_view>{"\u00a0", " "},   // no break
    std::pair<std::string_view, std::string_view>{"\u202f", " "},   // narrow, no break
    std::pair<std::string_view, std::string_view>{"\t", " "},
    std::pair<std::string_view, std::string_view>{"\r", " "},
    std::pair<std::string_view, std::string_view>{"\n", " "}};

std::string with_plain_signs(std::string text) {
    for (const auto& [spelt, plain] : kSpellings) {
        for (std::size_t at = text.find(spelt); at != std::string::npos;
             at = text.find(spelt, at)) {
            text.replace(at, spelt.size(), plain);
            at += plain.size();
        }
    }
    return text;
}

/// The rest of a sentence that has not been read.
class Rest {
  public:
    explicit Rest(std::string_view text)
        : text_(text) {
        skip_blanks();
    }

    /// Goes past the sign, and blanks behind it, when it stands next.
    bool take(std::string_view sign) {
        if (!text_.starts_with(sign)) {
            return false;
        }
        text_.remove_prefix(sign.size());
        skip_blanks();
        return true;
    }

    /// As take(), of a whole word.
    bool take_word(std::string_view word) {
        const bool ends = text_.size() == word.size()
                          || (text_.size() > word.size() && text_[word.size()] == ' ');
        return ends && take(word);
    }

    /// Up to a blank.
    std::string_view take_any_word() {
        const std::string_view word = text_.substr(0, text_.find(' '));
        text_.remove_prefix(word.size());
        skip_blanks();
        return word;
    }

    [[nodiscard]] std::string_view text() const { return text_; }

  private:
    void skip_blanks() {
        text_.remove_prefix(std::min(text_.find_first_not_of(' '), text_.size()));
    }

    std::string_view text_;
};

Fault no_sentence(const Claim& claim) {
    return SentenceFault{fmt::format("\"{}\" is no claim", claim.text), std::string(kForms)};
}

Fault unknown_metric(std::string_view name) {
    const std::string_view close = nearest(name, analyzers::metric_words());
    return SentenceFault{
        fmt::format("there is no metric \"{}\"", name),
        close.empty() ? "docs/metrics.md lists the ids"
                      : fmt::format("did you mean \"{}\"?", close)};
}

/// The form of the sentence; nothing when it has none.
std::optional<ClaimKind> take_kind(Rest& rest) {
    if (rest.take_word("same")) {
        return ClaimKind::same;
    }
    if (rest.take_word("improved")) {
        return ClaimKind::improved;
    }
    if (rest.take_word("regressed")) {
        return ClaimKind::regressed;
    }
    if (rest.take("A")) {
        return rest.take("=") ? std::optional(ClaimKind::base) : std::nullopt;
    }
    if (!rest.take("B")) {
        return std::nullopt;
    }
    const bool is_difference = rest.take("-");
    const bool is_ratio = !is_difference && rest.take("/");
    if ((is_difference || is_ratio) && !rest.take("A")) {
        return std::nullopt;
    }
    if (!rest.take("=")) {
        return std::nullopt;
    }
    return is_difference ? ClaimKind::difference
           : is_ratio    ? ClaimKind::ratio
                         : ClaimKind::candidate;
}

/// Reads a figure into `quantity`.
Fault read_figure(std::string_view text, const MetricDef& metric, Quantity& quantity) {
    std::string cause = analyzers::read_quantity(text, metric, quantity);
    return cause.empty() ? Fault() : Fault(SentenceFault{std::move(cause), {}});
}

/// A limit of 0 or more.
Fault read_size(std::string_view text, const MetricDef& metric, Quantity& quantity) {
    if (Fault fault = read_figure(text, metric, quantity)) {
        return fault;
    }
    if (quantity.value < 0.0) {
        return SentenceFault{fmt::format("\"{}\" is below 0, and a limit has no sign", text), {}};
    }
    return {};
}

/// A share of the base may be claimed of B/A alone, and of B/A nothing else.
Fault check_share(const Claim& claim, std::string_view text, const Quantity& quantity) {
    const bool is_of_ratio = claim.kind == ClaimKind::ratio;
    if (quantity.is_share == is_of_ratio) {
        return {};
    }
    if (is_of_ratio) {
        return SentenceFault{
            fmt::format("B/A is a change in percent, and \"{}\" is none", text),
            fmt::format("as in {0} B/A = -1.5 %; or claim {0} B-A", claim.metric)};
    }
    return SentenceFault{
        fmt::format("\"{}\" is a share of the base", text),
        fmt::format("claim {} B/A for a change in percent", claim.metric)};
}

/// VALUE [+- VALUE]
Fault read_value(std::string_view text, const MetricDef& metric, Claim& claim) {
    constexpr std::string_view kSign = "+-";
    const std::size_t sign = text.find(kSign);
    Quantity value;
    if (Fault fault = read_figure(text.substr(0, sign), metric, value)) {
        return fault;
    }
    if (Fault fault = check_share(claim, text.substr(0, sign), value)) {
        return fault;
    }
    Quantity tolerance;
    if (sign != std::string_view::npos) {
        const std::string_view behind = text.substr(sign + kSign.size());
        if (Fault fault = read_size(behind, metric, tolerance)) {
            return fault;
        }
        if (Fault fault = check_share(claim, behind, tolerance)) {
            return fault;
        }
    }
    if (metric.kind == MetricKind::sampled && tolerance.value == 0.0) {
        return SentenceFault{
            fmt::format("{} varies from run to run, so no value of it can be exact", metric.id),
            "say how far it may be off: \"" + claim.text + " +- ...\""};
    }
    claim.value = value.value;
    claim.tolerance = tolerance.value;
    claim.is_share = value.is_share;
    return {};
}

/// The limit of same, improved and regressed.
Fault read_limit_of(std::string_view text, const MetricDef& metric, Claim& claim) {
    Quantity limit;
    if (Fault fault = read_size(text, metric, limit)) {
        return fault;
    }
    const bool is_same = claim.kind == ClaimKind::same;
    if (is_same && limit.value == 0.0 && metric.kind == MetricKind::sampled) {
        return SentenceFault{
            fmt::format("{} varies from run to run, so it is never the same within 0", metric.id),
            {}};
    }
    claim.value = limit.value;
    claim.is_share = limit.is_share;
    return {};
}

/// same [within LIMIT], improved|regressed [by LIMIT]
Fault read_words(Rest& rest, const MetricDef& metric, Claim& claim) {
    const bool is_same = claim.kind == ClaimKind::same;
    if (!is_same && metric.better == Direction::neither) {
        return SentenceFault{
            fmt::format("{} is better in neither direction", metric.id),
            fmt::format("say by how much it changed: {} B-A = ...", claim.metric)};
    }
    if (rest.take_word(is_same ? "within" : "by")) {
        return read_limit_of(rest.text(), metric, claim);
    }
    if (!rest.text().empty()) {
        return no_sentence(claim);
    }
    if (is_same && metric.kind == MetricKind::sampled) {
        return SentenceFault{
            fmt::format("{} varies from run to run, so \"same\" needs a limit", metric.id),
            fmt::format("as in {} same within 1 %", claim.metric)};
    }
    return {};
}

} // namespace

std::optional<SentenceFault> read_sentence(Claim& claim) {
    const std::string text = with_plain_signs(claim.text);
    Rest rest(text);
    claim.metric = rest.take_any_word();
    if (claim.metric.empty()) {
        return no_sentence(claim);
    }
    if (claim.metric == analyzers::kKernels) {
        return SentenceFault{
            "a claim is about one metric, and kernels are many",
            "name an op's: op.token-stream.time"};
    }
    const MetricDef* const metric =
        analyzers::find_metric(analyzers::ids_of({}, claim.metric).front());
    if (metric == nullptr) {
        return unknown_metric(claim.metric);
    }
    const std::optional<ClaimKind> kind = take_kind(rest);
    if (!kind) {
        return no_sentence(claim);
    }
    claim.kind = *kind;
    switch (claim.kind) {
    case ClaimKind::difference:
    case ClaimKind::ratio:
    case ClaimKind::base:
    case ClaimKind::candidate: return read_value(rest.text(), *metric, claim);
    case ClaimKind::same:
    case ClaimKind::improved:
    case ClaimKind::regressed: return read_words(rest, *metric, claim);
    }
    return {};
}

} // namespace kvprof::report
