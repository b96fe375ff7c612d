#pragma once

#include "capture/workload/step_plan.h"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace kvprof::workload {

/// Collects the buffers of a plan. What the backend names among its capture buffers belongs to the
/// graph and has the bytes of its formula; the rest belongs where the caller says.
class BufferList {
  public:
    struct Shape {
        std::int64_t element_bytes = 1;
        std::int64_t columns = 0; ///< elements a row
        std::int64_t rows = 1;
    };

    /// Refers to `plan`.
    explicit BufferList(const StepPlan& plan)
        : plan_(plan) {}

    /// Adds a buffer that ops use; one that is there already is left as it is. `group` is that of a
    /// buffer that the backend does not name. Outputs are what a step writes.
    /// @throws UsageError when the backend's formula gives it less than `shape`, or no whole rows.
    void add(BufferId id, const char* name, LedgerGroup group, Shape shape, bool is_output = false);
    /// Adds the backend's capture buffers that are not there yet, which no op uses.
    /// @throws UsageError for a name that another buffer has, and for more of them than there are
    /// ids.
    void add_reserved();

    [[nodiscard]] std::vector<BufferSpec> take() { return std::move(list_); }

  private:
    [[nodiscard]] bool has(BufferId id) const;
    void check_name(std::string_view name) const;
    /// By the formula of the same name, if there is one.
    void size_by_formula(BufferSpec& buffer) const;

    const StepPlan& plan_;
    std::vector<BufferSpec> list_;
};

/// Buffers of the metadata stage and of what attention reads: streams, tables, row starts, windows,
/// splits, state slots.
void add_metadata_buffers(const StepPlan& plan, BufferList& out);

} // namespace kvprof::workload
