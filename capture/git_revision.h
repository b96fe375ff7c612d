#pragma once

#include "capture/experiment/child_process.h"

#include <functional>
#include <string>

namespace kvprof {

/// Runs a program to its end; experiment::run_child, or what a test puts in its place.
using RunProgram = std::function<experiment::ChildResult(const experiment::ChildCommand& command)>;

/// The commit that the current folder's files are at, with "+" when tracked files were modified;
/// "none" outside a repository and without git; "unavailable: <why>" when one of git's two commands
/// fails or takes longer than a second. Nothing of the repository is written, and no lock is taken.
[[nodiscard]] std::string git_revision(const RunProgram& run = experiment::run_child);

} // namespace kvprof
