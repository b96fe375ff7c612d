#pragma once

#include "capture/import/options.h"
#include "capture/import/profile_builder.h"

#include <filesystem>
#include <string_view>

namespace kvprof::import {

/// What a file is, by its first bytes.
enum class FileFormat : std::uint8_t { json, gzip, sqlite, utf16, nsys_report, other };

/// @throws RefusedError (empty-file, not-a-file) for a directory, a FIFO, a device, a file of 0
/// bytes; UsageError when it can not be opened.
[[nodiscard]] FileFormat sniff(const std::filesystem::path& file);

/// Reads a Kineto trace (plain or gzip) into the builder.
/// @throws RefusedError with the words of the cases (truncated-json, truncated-gzip, gzip-crc,
/// invalid-json, not-a-trace, utf-16, too-deep, too-long, changed-while-read)
void read_kineto(const std::filesystem::path& file, const ReadOptions& options, ProfileBuilder& to);

/// Reads an Nsight Systems SQLite export into the builder, read-only and without a file beside it.
/// @throws RefusedError (not-nsys, missing-column, sqlite-malformed)
void read_nsys(const std::filesystem::path& file, const ReadOptions& options, ProfileBuilder& to);

/// Reads one file of any format. Its name says the rank where the profile does not.
/// @throws RefusedError; UsageError where the steps that were asked for are not there
[[nodiscard]] FileProfile
read_profile(const std::filesystem::path& file, const ReadOptions& options);

} // namespace kvprof::import
