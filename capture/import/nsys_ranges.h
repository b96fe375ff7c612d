#pragma once

#include "capture/import/nsys_strings.h"
#include "capture/import/options.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace kvprof::import {

/// Whether any range could be a step.
[[nodiscard]] bool may_have_steps(const ReadOptions& options);

/// Names of NVTX ranges that may be steps. A capture holds millions of others, each with a name of
/// its own ("aten::mul, op_id = 314339"), which nothing is made of.
class RangeNames {
  public:
    RangeNames(NsysStrings& strings, const ReadOptions& options)
        : strings_(strings),
          options_(options) {}

    [[nodiscard]] std::optional<std::uint32_t> of_text(std::string_view text);
    [[nodiscard]] std::optional<std::uint32_t> of_id(std::int64_t id);

  private:
    NsysStrings& strings_;
    const ReadOptions& options_;
    std::unordered_map<std::int64_t, std::optional<std::uint32_t>> known_;
};

} // namespace kvprof::import
