#include "analyzers/json_values.h"
#include "analyzers/missing_timeline.h"
#include "analyzers/timeline_section.h"
#include "report/document.h"
#include "report/html_charts.h"
#include "report/html_environment.h"
#include "report/html_text.h"
#include "report/markdown_words.h"
#include "report/page_assets.h"
#include "report/recipe.h"
#include "report/renderers.h"
#include "report/timeline_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace kvprof::report {

namespace {

using analyzers::Section;

/// The order of FILES in the build list.
enum class Asset : std::size_t { style, library, script };

std::string_view text_of(Asset asset) {
    return kAssets.at(static_cast<std::size_t>(asset)).second;
}

/// Nothing may be fetched, and only the script and the style of this program run, by their hashes:
/// a name that found a way past the escaping would still be no code.
std::string content_policy() {
    const auto hash = [](Asset asset) {
        return "'" + std::string(kAssetHashes.at(static_cast<std::size_t>(asset))) + "'";
    };
    return "default-src 'none'; script-src " + hash(Asset::library) + " " + hash(Asset::script)
           + "; style-src " + hash(Asset::style)
           + "; img-src data:; base-uri 'none'; form-action 'none'";
}

std::string title_of(const Document& document) {
    return document.title.empty() ? "kvprof report" : document.title;
}

void add_head(Html& html, const Document& document) {
    html.open("head").lone("meta", {{"charset", "utf-8"}});
    html.lone("meta", {{"http-equiv", "Content-Security-Policy"}, {"content", content_policy()}});
    html.lone("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
    html.lone("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
    html.lone("link", {{"rel", "icon"}, {"href", "data:,"}});
    const std::string verdict = document.verdict.empty() ? "" : document.verdict + ": ";
    html.element("title", verdict + title_of(document) + " - kvprof");
    html.verbatim("style", text_of(Asset::style)).close();
}

void add_headline(Html& html, const Document& document) {
    html.open("header").element("h1", title_of(document));
    if (!document.verdict.empty()) {
        const std::string word = document.verdict.substr(0, document.verdict.find(" ("));
        html.open("p", {{"class", "verdict"}});
        html.element("span", capitalised(document.judge) + ":", {{"class", "judge"}}).text(" ");
        html.element("strong", document.verdict, {{"class", "pill " + verdict_class(word)}});
        html.close();
    }
    if (!document.reasons.empty()) {
        html.open("ul", {{"class", "reasons"}});
        for (const std::string& reason : document.reasons) {
            html.element("li", reason);
        }
        html.close();
    }
    if (!document.lead.empty()) {
        html.open("p", {{"class", "lead"}});
        for (const std::string& words : document.lead) {
            html.text(sentence(capitalised(words)) + " ");
        }
        html.close();
    }
    html.close();
}

void add_section(Html& html, const Section& section) {
    if (section.empty()) {
        return;
    }
    if (!section.title.empty()) {
        html.element("h3", capitalised(section.title));
    }
    if (section.table && !section.table->empty()) {
        add_table(html, *section.table, section.title.empty() ? "rows" : section.title);
    }
    if (!section.table && section.title.empty()) {
        for (const std::string& line : section.lines) {
            html.element("p", sentence(capitalised(line)));
        }
        return;
    }
    add_list(html, section.lines);
}

bool is_empty(const Part& part) {
    return std::all_of(part.sections.begin(), part.sections.end(), [](const Section& section) {
        return section.empty();
    });
}

/// The place of the first part that is folded away; all of the body comes before it.
std::size_t first_detail(const Document& document) {
    const auto place =
        std::find_if(document.parts.begin(), document.parts.end(), [](const Part& part) {
            return part.weight == Weight::detail;
        });
    return static_cast<std::size_t>(place - document.parts.begin());
}

void add_part(Html& html, const Part& part) {
    if (is_empty(part)) {
        return;
    }
    const bool is_folded = part.weight == Weight::detail;
    if (is_folded) {
        html.open("details", {{"class", "part"}});
        html.element("summary", part.title.empty() ? "Details" : capitalised(part.title));
    } else {
        html.open("section");
        if (!part.title.empty()) {
            html.element("h2", capitalised(part.title));
        }
    }
    for (const Section& section : part.sections) {
        add_section(html, section);
    }
    html.close();
}

/// How many parts stand before the charts: the answers to claims, and what decides; none where
/// nothing is judged.
std::size_t leading_parts(const Report& report, const Document& document) {
    if (document.verdict.empty()) {
        return 0;
    }
    return std::min(first_detail(document), report.claims ? std::size_t{2} : std::size_t{1});
}

void add_charts_section(Html& html, const std::vector<ChartGroup>& charts) {
    if (charts.empty()) {
        return;
    }
    html.open("section").element("h2", "Charts").open("noscript");
    html.element("p", "Charts need scripts. Their figures stand in these tables.").close();
    add_charts(html, charts);
    html.close();
}

/// Of a comparison in which one side alone has a timeline: why the other has none.
std::string missing_side(const Report& report) {
    const auto* const judged = std::get_if<Judged>(&report.subject);
    if (judged == nullptr || judged->gate.cases.size() != 1 || report.drawn_steps.size() != 1) {
        return {};
    }
    const analyzers::Comparison& only = judged->gate.cases.front();
    const bool has_base = report.drawn_steps.front().side.starts_with("base");
    const analyzers::Side& side = has_base ? only.candidate : only.base;
    if (side.runs.empty()) {
        return {};
    }
    const analyzers::Missing missing = analyzers::missing_timeline(side.runs.front());
    return fmt::format(
        "{}: {} is not drawn: {}{}{}",
        has_base ? "candidate" : "base",
        side.label,
        missing.cause,
        missing.hint.empty() ? "" : "; ",
        missing.hint
    );
}

void add_timeline_section(Html& html, const Report& report) {
    if (report.drawn_steps.empty()) {
        return;
    }
    html.open("section").element("h2", "Timeline");
    add_timeline(html, report.drawn_steps);
    analyzers::Section figures = analyzers::timeline_section(report.drawn_steps);
    if (std::string line = missing_side(report); !line.empty()) {
        figures.lines.push_back(std::move(line));
    }
    add_section(html, figures);
    html.close();
}

void add_not_measured(Html& html, const Document& document) {
    if (document.not_measured.empty()) {
        return;
    }
    html.open("section").element("h2", "Not measured");
    add_list(html, document.not_measured);
    html.close();
}

/// The document without blanks. Of an experiment without what is known of each single step, which
/// would be nine tenths of the page.
std::string page_json(const Report& report) {
    using analyzers::Json;
    const std::string text = json_document(report);
    Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) {
        return text;
    }
    if (const auto runs = json.find("runs"); runs != json.end()) {
        for (Json& run : *runs) {
            for (const char* const list : {"op_samples", "step_records"}) {
                run.erase(list);
            }
        }
    }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void add_data(Html& html, std::string_view id, const std::string& json) {
    html.verbatim("script", script_json(json), {{"type", "application/json"}, {"id", id}});
}

void add_scripts(Html& html, const Report& report, const std::vector<ChartGroup>& charts) {
    add_data(html, "kvprof-report", page_json(report));
    add_data(html, "kvprof-recipe", recipe_json(report.recipe));
    if (!charts.empty()) {
        add_data(html, "kvprof-charts", chart_json(charts));
        html.verbatim("script", text_of(Asset::library));
        html.verbatim("script", text_of(Asset::script));
    }
}

/// What stands on the page in its order: the answer, the charts, the limits, the details.
void add_content(
    Html& html,
    const Report& report,
    const Document& document,
    const std::vector<ChartGroup>& charts
) {
    const std::size_t leading = leading_parts(report, document);
    const std::size_t body = first_detail(document);
    const auto add_range = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            add_part(html, document.parts[i]);
        }
    };
    add_range(0, leading);
    add_charts_section(html, charts);
    add_timeline_section(html, report);
    add_range(leading, body);
    add_not_measured(html, document);
    add_range(body, document.parts.size());
    add_environment(html, report);
}

void add_footer(Html& html, const Report& report, const Document& document) {
    html.open("footer");
    if (!document.check.empty()) {
        html.element("p", sentence(capitalised(document.check)));
    }
    html.element(
        "p",
        "kvprof " + report.tool.version
            + ". Charts by Chart.js, under the MIT licence, which stands in this file. The same "
              "figures stand in it as JSON."
    );
    html.close();
}

} // namespace

std::string html_page(const Report& report) {
    const Document document = document_of(report);
    const std::vector<ChartGroup> charts = charts_of(report);
    Html html;
    html.lone("!doctype html", {}).open("html", {{"lang", "en"}});
    add_head(html, document);
    html.open("body").element("a", "Skip to the report", {{"class", "skip"}, {"href", "#report"}});
    html.open("main", {{"id", "report"}, {"tabindex", "-1"}});
    add_headline(html, document);
    add_content(html, report, document, charts);
    html.close();
    add_footer(html, report, document);
    add_scripts(html, report, charts);
    html.close().close();
    return std::move(html).take();
}

} // namespace kvprof::report
