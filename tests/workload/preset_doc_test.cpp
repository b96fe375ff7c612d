#include "capture/model/units.h"
#include "capture/workload/preset.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace kvprof::workload {

namespace {

std::string page() {
    std::ifstream file(std::filesystem::path(KVPROF_TESTS_DIR) / ".." / "docs" / "presets.md");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string row_of(const ModelSpec& model) {
    const auto of_kind = [&](StateKind kind) { return format_count(entry_bytes(model, kind, 1)); };
    std::ostringstream row;
    row << "| " << model.name << " | " << model.layers << " | " << model.full.layers << ", "
        << model.swa.layers << ", " << model.state.layers << " | " << model.swa.window << " | "
        << format_count(model.max_context) << " | " << of_kind(StateKind::full) << " | "
        << of_kind(StateKind::swa) << " | " << of_kind(StateKind::state) << " | "
        << mult_of(model, StateKind::full) << ", " << mult_of(model, StateKind::swa) << " |";
    return row.str();
}

} // namespace

TEST(PresetDoc, HasARowForEveryModelWithItsBytes) {
    const std::string text = page();
    for (const ModelSpec& model : built_in_presets()) {
        EXPECT_NE(text.find(row_of(model)), std::string::npos) << row_of(model);
    }
}

TEST(PresetDoc, TheExampleOfAFileIsOne) {
    const std::string text = page();
    const std::string fence = "```toml\n";
    const std::size_t begin = text.find(fence) + fence.size();
    const ModelSpec model =
        parse_preset(text.substr(begin, text.find("```", begin) - begin), "doc");
    EXPECT_EQ(model.name, "my-model");
    EXPECT_EQ(entry_bytes(model, StateKind::state, 1), 5 * (3 * 512 * 2 + 8 * 64 * 64 * 4));
}

} // namespace kvprof::workload
