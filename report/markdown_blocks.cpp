#include "report/markdown_blocks.h"

#include "report/markdown_words.h"
#include "report/utf8.h"

#include <fmt/format.h>

#include <utility>

namespace kvprof::report {

namespace {

using analyzers::Section;

/// What says how many items are missing, and the blank line before it.
constexpr std::size_t kNotice = 80;

std::string notice(const MarkdownBlock& block, std::size_t missing) {
    return fmt::format(
        "{}… {} more {}: kvprof report --format html\n",
        block.is_table ? "\n" : "- ",
        missing,
        block.is_table ? "rows" : "lines"
    );
}

/// A section as a block for its table and one for its lines, the title over the first.
std::vector<MarkdownBlock> blocks_of(const Section& section) {
    std::vector<MarkdownBlock> blocks;
    const bool has_table = section.table && !section.table->empty();
    std::string title = section.title.empty() ? std::string() : bold_title(section.title);
    if (has_table) {
        blocks.push_back(table_block(*section.table));
        blocks.back().head = std::exchange(title, {}) + "\n" + blocks.back().head;
    }
    if (section.lines.empty()) {
        return blocks;
    }
    MarkdownBlock lines{title + "\n", list_items(section.lines)};
    if (section.title.empty() && !has_table) { // a paragraph a line
        lines = {"", {}};
        for (const std::string& line : section.lines) {
            lines.items.push_back(
                fmt::format("\n{}\n", markdown_text(sentence(capitalised(line)), Place::block))
            );
        }
    }
    blocks.push_back(std::move(lines));
    return blocks;
}

} // namespace

std::string bold_title(std::string_view title) {
    return fmt::format("\n**{}**\n", markdown_text(capitalised(title)));
}

std::vector<std::string> list_items(const std::vector<std::string>& lines) {
    std::vector<std::string> items;
    for (const std::string& line : lines) {
        items.push_back(fmt::format("- {}\n", markdown_text(line, Place::block)));
    }
    return items;
}

MarkdownBlock table_block(const analyzers::Table& table) {
    MarkdownBlock block{"|", {}, true};
    std::string rule = "|";
    for (const analyzers::Column& column : table.columns()) {
        block.head += fmt::format(" {} |", markdown_text(column.title, Place::cell));
        rule += column.align == analyzers::Align::left ? "---|" : "--:|";
    }
    block.head += "\n" + rule + "\n";
    for (const std::vector<analyzers::Cell>& row : table.rows()) {
        std::string line = "|";
        for (const analyzers::Cell& cell : row) {
            line += fmt::format(" {} |", markdown_cell(cell));
        }
        block.items.push_back(line + "\n");
    }
    return block;
}

MarkdownPart markdown_part(const Part& part) {
    MarkdownPart markdown;
    for (const Section& section : part.sections) {
        for (MarkdownBlock& block : blocks_of(section)) {
            markdown.blocks.push_back(std::move(block));
        }
    }
    if (part.weight == Weight::detail) {
        // Without the blank lines GitHub shows a table inside as text; each block begins with one.
        markdown.open = fmt::format(
            "\n<details><summary>{}</summary>\n", summary_text(capitalised(part.title))
        );
        markdown.close = "\n</details>\n";
    } else if (!part.title.empty()) {
        markdown.open = bold_title(part.title);
    }
    return markdown;
}

std::string whole(const MarkdownPart& part) {
    if (part.blocks.empty()) {
        return {};
    }
    std::string text = part.open;
    for (const MarkdownBlock& block : part.blocks) {
        text += block.head;
        for (const std::string& item : block.items) {
            text += item;
        }
    }
    return text + part.close;
}

std::string fitted(const MarkdownPart& part, std::size_t room) {
    std::string text = part.open;
    std::size_t used = characters(part.open) + characters(part.close) + kNotice;
    std::size_t skipped = 0;
    for (const MarkdownBlock& block : part.blocks) {
        std::string kept = block.head;
        std::size_t size = characters(block.head) + kNotice;
        std::size_t count = 0;
        for (; count < block.items.size(); ++count) {
            const std::size_t next = characters(block.items[count]);
            if (used + size + next > room) {
                break;
            }
            kept += block.items[count];
            size += next;
        }
        if (count > 0) {
            const std::size_t missing = block.items.size() - count;
            text += kept + (missing == 0 ? std::string() : notice(block, missing));
            used += size;
        } else {
            ++skipped;
        }
    }
    if (skipped == part.blocks.size()) {
        return {};
    }
    if (skipped > 0) {
        text += fmt::format(
            "\n… {} more {}: kvprof report --format html\n",
            skipped,
            skipped == 1 ? "table or list" : "tables and lists"
        );
    }
    return text + part.close;
}

} // namespace kvprof::report
