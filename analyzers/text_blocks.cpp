#include "analyzers/text_blocks.h"

namespace kvprof::analyzers {

std::string text_block(const std::string& title, const std::vector<std::string>& lines) {
    if (lines.empty()) {
        return {};
    }
    std::string text = "\n" + title + "\n";
    for (const std::string& line : lines) {
        text += "  " + line + "\n";
    }
    return text;
}

} // namespace kvprof::analyzers
