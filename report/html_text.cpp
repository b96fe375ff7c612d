#include "report/html_text.h"

#include "analyzers/sampled_test.h"
#include "report/claims.h"
#include "report/clean_text.h"

#include <cstddef>

namespace kvprof::report {

std::string escaped(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char letter : xml_text(text)) {
        switch (letter) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        case '\'': out += "&#39;"; break;
        default: out += letter;
        }
    }
    return out;
}

std::string script_json(std::string_view json) {
    std::string out;
    out.reserve(json.size());
    for (const char letter : json) {
        if (letter == '<') {
            out += "\\u003c";
        } else {
            out += letter;
        }
    }
    return out;
}

void Html::start(std::string_view tag, Attributes attributes) {
    text_ += '<';
    text_ += tag;
    for (const auto& [name, value] : attributes) {
        text_ += ' ';
        text_ += name;
        text_ += "=\"";
        text_ += escaped(value);
        text_ += '"';
    }
    text_ += '>';
}

Html& Html::open(std::string_view tag, Attributes attributes) {
    start(tag, attributes);
    open_.emplace_back(tag);
    return *this;
}

Html& Html::close() {
    text_ += "</";
    text_ += open_.back();
    text_ += ">\n";
    open_.pop_back();
    return *this;
}

Html& Html::text(std::string_view words) {
    text_ += escaped(words);
    return *this;
}

Html& Html::element(std::string_view tag, std::string_view words, Attributes attributes) {
    return open(tag, attributes).text(words).close();
}

Html& Html::lone(std::string_view tag, Attributes attributes) {
    start(tag, attributes);
    text_ += '\n';
    return *this;
}

Html& Html::verbatim(std::string_view tag, std::string_view content, Attributes attributes) {
    open(tag, attributes);
    text_ += content;
    return close();
}

std::string verdict_class(std::string_view word) {
    for (const auto& [verdict, name] : EnumNames<analyzers::Verdict>::values) {
        if (word == name) {
            return verdict == analyzers::Verdict::not_comparable ? "v-incomparable"
                                                                 : "v-" + std::string(name);
        }
    }
    if (const auto claim = parse_enum<ClaimVerdict>(word)) {
        switch (*claim) {
        case ClaimVerdict::supported: return "v-improved";
        case ClaimVerdict::contradicted: return "v-regressed";
        case ClaimVerdict::not_tested: return "v-incomparable";
        case ClaimVerdict::undecided: return "v-inconclusive";
        }
    }
    return "v-none";
}

namespace {

/// "answer" is that of a claim.
bool is_verdict_column(const analyzers::Column& column) {
    return column.title == "verdict" || column.title == "answer";
}

void add_cell(Html& html, const analyzers::Column& column, const analyzers::Cell& cell) {
    html.open("td", {{"class", column.align == analyzers::Align::right ? "n" : "t"}});
    if (cell.is_code) {
        html.element("code", cell.text);
    } else if (is_verdict_column(column) && verdict_class(cell.text) != "v-none") {
        html.element("span", cell.text, {{"class", "word " + verdict_class(cell.text)}});
    } else {
        html.text(cell.text);
    }
    html.close();
}

} // namespace

void add_table(Html& html, const analyzers::Table& table, std::string_view name) {
    html.open(
        "div", {{"class", "scroll"}, {"role", "region"}, {"tabindex", "0"}, {"aria-label", name}}
    );
    html.open("table").open("thead").open("tr");
    for (const analyzers::Column& column : table.columns()) {
        html.element(
            "th",
            column.title,
            {{"scope", "col"}, {"class", column.align == analyzers::Align::right ? "n" : "t"}}
        );
    }
    html.close().close().open("tbody");
    for (const std::vector<analyzers::Cell>& row : table.rows()) {
        html.open("tr");
        for (std::size_t i = 0; i < row.size(); ++i) {
            add_cell(html, table.columns()[i], row[i]);
        }
        html.close();
    }
    html.close().close().close();
}

void add_list(Html& html, const std::vector<std::string>& lines) {
    if (lines.empty()) {
        return;
    }
    html.open("ul");
    for (const std::string& line : lines) {
        html.element("li", line);
    }
    html.close();
}

} // namespace kvprof::report
