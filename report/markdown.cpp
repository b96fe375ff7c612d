#include "report/markdown_blocks.h"
#include "report/markdown_words.h"
#include "report/renderers.h"
#include "report/utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace kvprof::report {

namespace {

/// Room for one thing of the frame, in characters of Markdown.
using Room = std::size_t;

constexpr Room kAny = std::numeric_limits<Room>::max();

/// What stands around the parts.
struct Frame {
    std::string head;
    std::string tail;
};

/// Escaped words, without their middle where they would have more than `most` characters.
std::string words(std::string_view plain, Place place, Room most) {
    std::string line = one_line(plain);
    std::string escaped = markdown_text(line, place);
    for (Room width = most; characters(escaped) > most; width = width * 3 / 4) {
        escaped = markdown_text(elided(line, width), place);
    }
    return escaped;
}

/// "**Verdict: regressed.** step.gpu_time +1.49 % [+1.41, +1.57], beyond the limit of 1 %."
std::string verdict_line(const Document& document, Room room) {
    if (document.verdict.empty()) {
        return {};
    }
    const std::string verdict =
        words(capitalised(document.judge) + ": " + document.verdict, Place::inline_text, room);
    const std::string reasons = sentence(fmt::format("{}", fmt::join(document.reasons, "; ")));
    return fmt::format("\n**{}.** {}\n", verdict, words(reasons, Place::inline_text, room));
}

std::string head_of(const Document& document, Room room) {
    std::string head = document.check.empty() ? "" : "<!-- kvprof-begin -->\n";
    head += fmt::format("### {}\n", words(document.title, Place::inline_text, room));
    head += verdict_line(document, room);
    std::string lead;
    for (const std::string& each : document.lead) {
        lead += (lead.empty() ? "" : " ") + sentence(capitalised(each));
    }
    return lead.empty() ? head : fmt::format("{}\n{}\n", head, words(lead, Place::block, room));
}

std::string not_measured(const std::vector<std::string>& lines, Room room) {
    if (lines.empty()) {
        return {};
    }
    MarkdownPart part{bold_title("not measured"), {{"\n", {}}}, ""};
    for (const std::string& line : lines) {
        const Room most = room == kAny ? kAny : room / 4;
        part.blocks.front().items.push_back(fmt::format("- {}\n", words(line, Place::block, most)));
    }
    return room == kAny ? whole(part) : fitted(part, room);
}

/// The check, and what it needs in a comment: nobody sees it, and it goes where the text goes.
std::string check_of(const Document& document) {
    if (document.check.empty()) {
        return {};
    }
    const std::string line = markdown_text(sentence(capitalised(document.check)), Place::block);
    return document.recipe.empty()
               ? fmt::format("\n{}\n", line)
               : fmt::format("\n{}\n\n<!-- kvprof-report {} -->\n", line, document.recipe);
}

Frame frame_of(const Document& document, Room room) {
    return {
        head_of(document, room), not_measured(document.not_measured, room) + check_of(document)};
}

/// Parts in order: one that does not fit gets half of what is left, so that others have room too.
std::string fitted_parts(const std::vector<MarkdownPart>& parts, Room room) {
    std::string text;
    std::size_t missing = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Room left = room - std::min(room, characters(text));
        std::string part = whole(parts[i]);
        if (characters(part) > left) {
            part = fitted(parts[i], i + 1 == parts.size() ? left : left / 2);
            missing += part.empty() ? 1U : 0U;
        }
        text += part;
    }
    if (missing > 0) {
        text += fmt::format(
            "\n… {} more {}: kvprof report --format html\n",
            missing,
            missing == 1 ? "part" : "parts"
        );
    }
    return text;
}

/// A recipe that would fill the page is left out, and the check with it.
Document without_long_recipe(Document document, Room room) {
    if (characters(document.recipe) > room / 2) {
        document.recipe.clear();
        document.check =
            "what this report was made from is too long for it: kvprof report --format "
            "json carries it, and can be checked";
    }
    return document;
}

} // namespace

std::string markdown(const Document& document, std::size_t room) {
    constexpr Room kNotice = 80; // of fitted_parts()
    constexpr Room kShare = 16;  // title, verdict, reasons, lead and "not measured" get one each
    std::vector<MarkdownPart> parts;
    for (const Part& part : document.parts) {
        parts.push_back(markdown_part(part));
    }
    const Document framed = without_long_recipe(document, room);
    Frame frame = frame_of(framed, kAny);
    std::string body;
    for (const MarkdownPart& part : parts) {
        body += whole(part);
    }
    if (characters(frame.head) + characters(body) + characters(frame.tail) <= room) {
        return frame.head + body + frame.tail;
    }
    const Room least = room / 2; // of what is left for the parts
    if (characters(frame.head) + characters(frame.tail) - characters(framed.recipe) > least / 2) {
        frame = frame_of(framed, room / kShare);
    }
    const Room taken = characters(frame.head) + characters(frame.tail) + kNotice;
    return frame.head + fitted_parts(parts, room - std::min(room, taken)) + frame.tail;
}

std::string markdown(const analyzers::Table& table) {
    const MarkdownBlock block = table_block(table);
    return fmt::format("{}{}", block.head, fmt::join(block.items, ""));
}

std::string markdown_table(const Document& document, std::size_t room) {
    std::string text = verdict_line(document, room / 4);
    text.erase(0, 1); // it begins the text
    for (const Part& part : document.parts) {
        for (const analyzers::Section& section : part.sections) {
            if (section.table && !section.table->empty()) {
                const Part first{"", Weight::body, {{"", section.table, {}}}};
                const std::string table = fitted(markdown_part(first), room - characters(text));
                return text.empty() ? table.substr(1) : text + table;
            }
        }
    }
    return text;
}

} // namespace kvprof::report
