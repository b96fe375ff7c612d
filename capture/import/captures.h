#pragma once

#include "capture/import/profile_builder.h"
#include "capture/model/run.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::import {

/// A file's name without folders, endings (.json, .pt.trace.json.gz, .sqlite) and what tells its
/// rank or its moment ("-TP-0-DP-0", "_rank3", a run of 10 or more digits): rank files of one
/// capture share it. "b300_static_TP0.trace.json.gz" gives "b300_static".
[[nodiscard]] std::string stem_of(const std::filesystem::path& file);

/// What a name says of its rank, as it stands there: "TP0-PP1" of "x-TP-0-PP-1.json", "3" of
/// "x_rank3.json"; empty where it says nothing.
[[nodiscard]] std::string rank_in(std::string_view name);

/// One capture: the places of its files, in the order of their ranks.
struct Capture {
    std::string name;
    std::vector<std::size_t> files;
};

/// Files that share a stem are one capture, but for those that say no rank: each of them is one.
/// Files of one named side whose stems all differ are one capture as well when each is of another
/// rank, and all say which.
[[nodiscard]] std::vector<Capture> captures_of(
    const std::vector<std::filesystem::path>& files,
    const std::vector<FileProfile>& profiles,
    bool is_one_side
);

/// The run of one capture: its files' ranks side by side, kernels and calls of all of them added up
/// by name. Counts of a pass are over the steps of all ranks; a capture without steps is one step,
/// and a note says so.
/// @throws BadDataError when files of different sources, or the same rank twice, come together
[[nodiscard]] Run run_of(std::vector<FileProfile> files);

} // namespace kvprof::import
