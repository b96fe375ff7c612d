#pragma once

#include <filesystem>

/// Writes to FOLDER for each report: NAME.md without a limit, NAME.body.md as GitHub takes it, and
/// NAME.words.json: what a reader has to find in both, as plain words.
void write_markdown_documents(const std::filesystem::path& folder);
