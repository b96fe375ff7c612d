#include "report/verify.h"

#include "report/verify_leaves.h"
#include "report/verify_tokens.h"

#include <algorithm>
#include <utility>

namespace kvprof::report {

namespace {

/// The version of the program that wrote the report, in any form.
bool is_tool_version(std::string_view where) {
    return where.ends_with("/tool/version") || where.ends_with("/kvprof.version")
           || where.ends_with("/otherData/kvprof")
           || where.ends_with("property[@name=\"kvprof.version\"]/@value");
}

std::optional<Leaves> leaves_of(std::string_view text, Format format) {
    switch (format) {
    case Format::json:
    case Format::gbench:
    case Format::bmf:
    case Format::github_action_benchmark:
    case Format::perfetto: return json_leaves(text);
    case Format::jsonl: return json_lines_leaves(text);
    case Format::junit: return xml_leaves(text);
    case Format::text:
    case Format::markdown:
    case Format::markdown_table:
    case Format::html:
    case Format::csv:
    case Format::github:
    case Format::openmetrics:
    case Format::benchstat: return std::nullopt;
    }
    return std::nullopt;
}

/// A value that stands in one of them alone, or differs.
Difference difference_of(const Leaf* reported, const Leaf* derived) {
    const std::string nothing = "(nothing)";
    Difference difference;
    difference.where = (derived != nullptr ? derived : reported)->where;
    if (reported == nullptr || derived == nullptr) {
        difference.reported = reported == nullptr ? nothing : excerpt(reported->text, {});
        difference.derived = derived == nullptr ? nothing : excerpt(derived->text, {});
        return difference;
    }
    if (reported->where != derived->where) {
        difference.reported = excerpt(reported->where, derived->where);
        difference.derived = excerpt(derived->where, reported->where);
        return difference;
    }
    difference.reported = excerpt(reported->text, derived->text);
    difference.derived = excerpt(derived->text, reported->text);
    difference.is_figure =
        !is_tool_version(derived->where) && figures_of(reported->text) != figures_of(derived->text);
    return difference;
}

} // namespace

Verification compare_leaves(const Leaves& reported, const Leaves& derived) {
    Verification found;
    const std::size_t most = std::max(reported.size(), derived.size());
    for (std::size_t i = 0; i < most; ++i) {
        const Leaf* const one = i < reported.size() ? &reported[i] : nullptr;
        const Leaf* const other = i < derived.size() ? &derived[i] : nullptr;
        const bool is_equal = one != nullptr && other != nullptr && one->where == other->where
                              && one->text == other->text && one->is_size == other->is_size;
        if (is_equal) {
            found.figures += one->is_size ? 0 : count_numbers(one->text);
            continue;
        }
        Difference difference = difference_of(one, other);
        if (difference.is_figure) {
            found.difference = std::move(difference);
            return found;
        }
        if (!found.difference) {
            found.difference = std::move(difference); // unless a figure differs further on
        }
    }
    return found;
}

namespace {

/// The JSON inside a page; nothing when there is none, or when it can not be read any more.
std::optional<Leaves> embedded_leaves(std::string_view page) {
    constexpr std::string_view kBegin = R"(<script type="application/json" id="kvprof-report">)";
    const std::size_t begin = page.find(kBegin);
    if (begin == std::string_view::npos) {
        return std::nullopt;
    }
    page.remove_prefix(begin + kBegin.size());
    return json_leaves(page.substr(0, page.find("</script>")));
}

/// Its figures, as JSON has them, then all else: what the page shows, and with which scripts.
Verification compare_pages(std::string_view reported, std::string_view derived) {
    const std::optional<Leaves> reported_leaves = embedded_leaves(reported);
    const std::optional<Leaves> derived_leaves = embedded_leaves(derived);
    if (reported_leaves && derived_leaves) {
        Verification found = compare_leaves(*reported_leaves, *derived_leaves);
        if (found.difference && found.difference->is_figure) {
            return found;
        }
    }
    return compare_lines(reported, derived, Format::html);
}

} // namespace

Verification compare_reports(std::string_view reported, std::string_view derived, Format format) {
    if (format == Format::html) {
        return compare_pages(reported, derived);
    }
    const std::optional<Leaves> reported_leaves = leaves_of(reported, format);
    const std::optional<Leaves> derived_leaves = leaves_of(derived, format);
    // What can not be read as its form any more was changed, too.
    return reported_leaves && derived_leaves ? compare_leaves(*reported_leaves, *derived_leaves)
                                             : compare_lines(reported, derived, format);
}

} // namespace kvprof::report
