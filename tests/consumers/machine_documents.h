#pragma once

#include <filesystem>

/// Writes every schema to FOLDER/schemas/NAME.json, and what machines read to FOLDER: *.json,
/// *.jsonl, *.TABLE.csv, *.perfetto and *.perfetto.gz.
void write_machine_documents(const std::filesystem::path& folder);
