#include "capture/model/params.h"

#include "capture/model/error.h"
#include "capture/model/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace kvprof {

std::string format_field(std::int64_t value) {
    return std::to_string(value);
}

std::string format_field(double value) {
    return fmt::format("{}", value);
}

std::string format_field(const std::string& value) {
    return value;
}

void parse_field(std::string_view name, std::string_view text, std::int64_t& value) {
    value = parse_count(text, fmt::format("--{}", name));
}

void parse_field(std::string_view name, std::string_view text, double& value) {
    value = parse_real(text, fmt::format("--{}", name));
}

void parse_field(std::string_view /*name*/, std::string_view text, std::string& value) {
    value = text;
}

void refuse_choice(
    std::string_view name, std::string_view text, const std::vector<std::string_view>& choices
) {
    const std::string_view close = nearest(text, choices);
    throw UsageError(
        fmt::format(
            "could not read {}{}: \"{}\" is not one of {}",
            name.starts_with("the ") ? "" : "--",
            name,
            text,
            fmt::join(choices, ", ")
        ),
        close.empty() ? std::string() : fmt::format("did you mean \"{}\"?", close)
    );
}

namespace {

/// Levenshtein distance, one row at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

} // namespace

std::string_view nearest(std::string_view text, const std::vector<std::string_view>& candidates) {
    std::string_view best;
    std::size_t best_distance = 0;
    for (const std::string_view candidate : candidates) {
        const std::size_t distance = edit_distance(text, candidate);
        const std::size_t limit = std::max(text.size(), candidate.size()) / 3 + 1;
        if (distance <= limit && (best.empty() || distance < best_distance)) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

} // namespace kvprof
