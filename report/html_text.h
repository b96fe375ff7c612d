#pragma once

#include "analyzers/table.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kvprof::report {

/// For text and attribute values of HTML: & < > " ' are named, what is no UTF-8 and control
/// characters that HTML does not allow become U+FFFD.
[[nodiscard]] std::string escaped(std::string_view text);

/// JSON as the content of a script element: no "<" is left in it, which JSON has in strings alone.
[[nodiscard]] std::string script_json(std::string_view json);

/// Writes elements. All that is a name or a value of a report passes through escaped(), here and
/// nowhere else.
class Html {
  public:
    /// Of an element or attribute that this program names; values are escaped.
    using Attributes = std::initializer_list<std::pair<std::string_view, std::string_view>>;

    /// A start tag; close() ends the last one that is open.
    Html& open(std::string_view tag, Attributes attributes = {});
    Html& close();
    Html& text(std::string_view words);
    /// An element with nothing but text.
    Html& element(std::string_view tag, std::string_view words, Attributes attributes = {});
    /// An element without an end: meta, link.
    Html& lone(std::string_view tag, Attributes attributes);
    /// A script or style element. @param content what this program embeds, or script_json()
    Html& verbatim(std::string_view tag, std::string_view content, Attributes attributes = {});

    [[nodiscard]] std::string take() && { return std::move(text_); }

  private:
    void start(std::string_view tag, Attributes attributes);

    std::string text_;
    std::vector<std::string> open_;
};

/// A table in a box of its own that scrolls, named for those who can not see it. A verdict in a
/// column "verdict" gets its colour beside its word.
void add_table(Html& html, const analyzers::Table& table, std::string_view name);

/// Nothing without lines.
void add_list(Html& html, const std::vector<std::string>& lines);

/// "improved" -> "v-improved": the class that colours a verdict or the answer to a claim; "v-none"
/// for other words.
[[nodiscard]] std::string verdict_class(std::string_view word);

} // namespace kvprof::report
