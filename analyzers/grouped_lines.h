#pragma once

#include <string>
#include <utility>
#include <vector>

namespace kvprof::analyzers {

/// Lines that several rows share, each once with the rows' names, in order of appearance.
class GroupedLines {
  public:
    void add(const std::string& line, const std::string& name);

    /// "step.gpu_time, step.wall_time, graph.exec.bytes and 2 more: LINE"
    [[nodiscard]] std::vector<std::string> lines() const;

  private:
    std::vector<std::pair<std::string, std::vector<std::string>>> groups_;
};

} // namespace kvprof::analyzers
