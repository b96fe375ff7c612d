#pragma once

#include "capture/model/run.h"

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

namespace kvprof::cli {

/// How far an experiment is, on stderr. On a terminal one line that clears itself; elsewhere one
/// line for each stored run, so that a log shows them.
class Progress {
  public:
    Progress(std::FILE* file, bool is_terminal, std::size_t total);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

    void start(std::size_t position, const std::string& variant);
    /// Redraws the line of a terminal.
    void tick();

    /// One more run than planned: another one takes the place of a void one.
    void add_one() { ++total_; }

    /// Says what became of the run that started last.
    void stored(const Run& run, bool is_verbose);

  private:
    void clear();
    [[nodiscard]] double elapsed_s() const;

    std::FILE* file_;
    bool is_terminal_;
    bool is_drawn_ = false;
    std::size_t total_;
    std::size_t position_ = 0;
    std::string variant_;
    std::chrono::steady_clock::time_point started_;
};

} // namespace kvprof::cli
