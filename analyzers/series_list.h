#pragma once

#include "analyzers/metrics_of.h"

#include <string>
#include <string_view>
#include <vector>

namespace kvprof::analyzers {

/// Collects series under their ids; a second value under an exact id is added to the first.
class SeriesList {
  public:
    /// @pre the catalogue has a row `metric_id`; `id` is it with <name> filled in
    void add(std::string_view metric_id, std::string id, double value);
    void add(std::string_view metric_id, double value);

    [[nodiscard]] std::vector<Series> in_catalogue_order() &&;

  private:
    std::vector<Series> list_;
};

} // namespace kvprof::analyzers
