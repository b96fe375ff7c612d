#include "analyzers/gate_words.h"
#include "report/clean_text.h"
#include "report/judged.h"
#include "report/render.h"
#include "report/renderers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace kvprof::report {

namespace {

using analyzers::GatedRow;
using analyzers::GateResult;
using analyzers::Policy;
using analyzers::Verdict;

enum class Level : std::uint8_t { error, warning, notice };

constexpr std::array kLevels{
    std::pair{Level::error, "error"},
    std::pair{Level::warning, "warning"},
    std::pair{Level::notice, "notice"}};

/// Of a level: a runner shows no more of one step.
constexpr std::size_t kMostAnnotations = 10;
/// Of a step's summary: over 1,048,576 bytes the runner drops it.
constexpr std::size_t kMostSummary = 1'048'575;

struct Annotation {
    Level level{};
    std::string file; ///< empty: at no place
    std::int64_t line = 0;
    std::string title;
    std::string message;
};

/// A workflow command is one line: what would end it, and in a property what would end that, goes
/// as %XX, which the runner reads back.
std::string escaped(std::string_view text, bool is_property) {
    std::string out;
    for (const char letter : xml_text(text)) {
        const bool ends_property = is_property && (letter == ':' || letter == ',');
        if (letter == '%' || letter == '\r' || letter == '\n' || ends_property) {
            out += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
        } else {
            out += letter;
        }
    }
    return out;
}

std::string command(const Annotation& one) {
    std::string text = "::";
    for (const auto& [level, name] : kLevels) {
        text += level == one.level ? name : "";
    }
    text += " ";
    if (!one.file.empty()) {
        text += fmt::format("file={},", escaped(one.file, true));
        text += one.line > 0 ? fmt::format("line={},", one.line) : "";
    }
    return text
           + fmt::format("title={}::{}\n", escaped(one.title, true), escaped(one.message, false));
}

/// Where the policy says what the metric may change by; else where it lists what is primary.
std::int64_t line_of(const Policy& policy, const std::string& word, const std::string& id) {
    for (const analyzers::MetricRule& rule : policy.rules) {
        if (rule.metric == word || rule.metric == id) {
            return rule.line;
        }
    }
    return policy.primary_line;
}

Level undecided_level(const Policy& policy) {
    return policy.on_inconclusive == analyzers::OnInconclusive::fail ? Level::error
                                                                     : Level::warning;
}

/// @pre the verdict is not same
Level level_of(const Policy& policy, Verdict verdict, bool is_accepted) {
    switch (verdict) {
    case Verdict::regressed: return is_accepted ? Level::notice : Level::error;
    case Verdict::not_comparable: return Level::error;
    case Verdict::inconclusive: return undecided_level(policy);
    case Verdict::improved:
    case Verdict::same: break;
    }
    return Level::notice;
}

Annotation of_row(const GateResult& gate, const GatedRow& row) {
    const analyzers::RowFacts facts = analyzers::row_facts(gate, row);
    const std::string word = row.is_kernel ? "kernels" : row.name;
    const std::string name = row.is_kernel ? word : analyzers::name_of(gate, row);
    const std::string id =
        row.is_kernel ? word : gate.cases[row.case_index].deltas[row.row_index].id;
    Annotation one{
        .level = level_of(gate.policy, facts.verdict, row.accepted.has_value()),
        .file = gate.policy.origin,
        .line = line_of(gate.policy, word, id),
        .title = fmt::format("kvprof {} {}", name, to_string(facts.verdict)),
        .message = analyzers::row_words(facts)};
    if (row.accepted) {
        one.title += " (accepted)";
        one.message +=
            fmt::format("; accepted until {}: {}", row.accepted->until, row.accepted->reason);
        one.line = row.accepted->line;
    }
    return one;
}

/// Of what has no row: cases that can not be compared, metrics that nobody measured.
void add_rowless(const Judged& judged, std::vector<Annotation>& list) {
    const GateResult& gate = judged.gate;
    const auto at_cell = [&](std::size_t i, const std::string& words) {
        const std::string& cell = gate.cases[i].cell;
        return cell.empty() ? words : cell + ": " + words;
    };
    for (std::size_t i = 0; i < gate.cases.size(); ++i) {
        if (const std::string cause = blocked_by(gate.cases[i]); !cause.empty()) {
            list.push_back({Level::error, {}, 0, "kvprof not comparable", at_cell(i, cause)});
            continue;
        }
        for (const std::string& word : missing_in(gate, i)) {
            list.push_back(
                {undecided_level(gate.policy),
                 gate.policy.origin,
                 line_of(gate.policy, word, word),
                 fmt::format("kvprof {} inconclusive", word),
                 at_cell(i, word + " not-measured")}
            );
        }
    }
    if (gate.cases.empty()) {
        list.push_back({Level::error, {}, 0, "kvprof", "there is no case to compare"});
    }
}

void add_claims(const CheckedClaims& claims, std::vector<Annotation>& list) {
    for (const ClaimAnswer& answer : claims.answers) {
        if (answer.verdict == ClaimVerdict::supported) {
            continue;
        }
        const Level level =
            answer.verdict == ClaimVerdict::undecided ? Level::warning : Level::error;
        list.push_back(
            {level,
             claims.file.origin,
             answer.claim.line,
             fmt::format("kvprof claim {}", to_string(answer.verdict)),
             fmt::format(
                 "{}{}{}: measured {}{}{}",
                 answer.cell,
                 answer.cell.empty() ? "" : ": ",
                 answer.claim.text,
                 answer.measured.empty() ? "nothing" : answer.measured,
                 answer.why.empty() ? "" : "; ",
                 answer.why
             )}
        );
    }
}

std::vector<Annotation> annotations_of(const Report& report, const Judged& judged) {
    std::vector<Annotation> list;
    add_rowless(judged, list);
    for (const GatedRow& row : judged.gate.rows) {
        const bool is_blocked = !blocked_by(judged.gate.cases[row.case_index]).empty();
        const bool is_same = analyzers::row_facts(judged.gate, row).verdict == Verdict::same;
        if (!is_blocked && !is_same) {
            list.push_back(of_row(judged.gate, row));
        }
    }
    if (report.claims) {
        add_claims(*report.claims, list);
    }
    return list;
}

/// Each level's own; what a runner would drop is counted in the level's last one.
std::string commands(const std::vector<Annotation>& list) {
    std::string text;
    for (const auto& [level, name] : kLevels) {
        std::vector<const Annotation*> own;
        for (const Annotation& one : list) {
            if (one.level == level) {
                own.push_back(&one);
            }
        }
        const std::size_t shown = own.size() > kMostAnnotations ? kMostAnnotations - 1 : own.size();
        for (std::size_t i = 0; i < shown; ++i) {
            text += command(*own[i]);
        }
        if (shown < own.size()) {
            const std::string rest =
                fmt::format("{} more of this kind: see the step's summary", own.size() - shown);
            text += command({level, {}, 0, "kvprof", rest});
        }
    }
    return text;
}

bool is_continuation(char letter) {
    return (static_cast<unsigned char>(letter) & 0xc0U) == 0x80U;
}

/// Markdown of at most kMostSummary bytes; Markdown's own room counts characters.
std::string summary_of(const Document& document) {
    std::size_t room = kMostSummary;
    std::string text = markdown(document, room);
    while (text.size() > kMostSummary && text.size() - kMostSummary < room) {
        room -= text.size() - kMostSummary;
        text = markdown(document, room);
    }
    if (text.size() > kMostSummary) { // what is never left out does not fit: the end goes
        std::size_t end = kMostSummary;
        while (end > 0 && is_continuation(text[end])) {
            --end;
        }
        text.resize(end);
    }
    return text;
}

} // namespace

GithubParts github_parts(const Report& report) {
    const Judged& judged = judged_of(report);
    const Answer answer = answer_of(report, judged);
    GithubParts parts;
    parts.annotations = commands(annotations_of(report, judged));
    parts.summary = summary_of(document_of(report));
    parts.outputs = fmt::format(
        "verdict={}\nexit_code={}\nreport={}\n",
        to_string(answer.verdict),
        static_cast<int>(answer.code),
        report_id(report.recipe)
    );
    return parts;
}

} // namespace kvprof::report
