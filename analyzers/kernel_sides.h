#pragma once

#include "analyzers/kernel_pairing.h"
#include "analyzers/side.h"
#include "capture/model/op_kind.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kvprof::analyzers {

/// Which kernel of a side: copies and fills have no name that tells them apart.
struct KernelKey {
    std::optional<OpKind> op;
    Placement placement{};
    std::string_view name;

    friend bool operator==(const KernelKey&, const KernelKey&) = default;
};

/// As the recorder called it; copies and fills without a name by what they do.
[[nodiscard]] std::string full_name(const KernelStat& stat);

/// One kernel in the traced runs of a side.
struct SideKernel {
    KernelKey key;
    std::vector<double> ns; ///< a step, one a run
    std::vector<double> launches;
    std::vector<double> work; ///< blocks with work a step, one a run; 0 without a rule
    Dim3 grid{};              ///< of the first run that has it
    Dim3 block{};
    std::set<std::pair<Dim3, Dim3>> geometries;
    bool has_code = true; ///< a copy or a fill has none
    // Places among the side's kernels, of an imported one.
    std::optional<std::size_t> before;
    std::optional<std::size_t> after;
};

/// The kernels of a side's traced runs, in order of appearance. The side must outlive them: names
/// are those of its runs.
class SideKernels {
  public:
    /// @throws BadDataError when a neighbour is a kernel that its run does not have
    explicit SideKernels(const Side& side);

    [[nodiscard]] const std::vector<SideKernel>& all() const { return kernels_; }

    [[nodiscard]] std::optional<std::size_t> find(const KernelKey& key) const;

    [[nodiscard]] std::size_t runs() const { return runs_; }

  private:
    struct KeyHash {
        std::size_t operator()(const KernelKey& key) const {
            const std::size_t op = key.op ? static_cast<std::size_t>(*key.op) + 1U : 0U;
            const std::size_t place = op * 4U + static_cast<std::size_t>(key.placement);
            return std::hash<std::string_view>()(key.name) ^ (place * 0x9e3779b97f4a7c15U);
        }
    };

    void add(const Run& run, double steps);
    void add_neighbours(const Run& run);

    std::size_t runs_ = 0; ///< traced
    std::vector<SideKernel> kernels_;
    std::unordered_map<KernelKey, std::size_t, KeyHash> places_;
};

/// Kernels of one's own runs by op, placement and name; those of imported ones as pair_kernels()
/// does.
[[nodiscard]] std::vector<KernelPair> pairs_of(
    const Side& base, const Side& candidate, const SideKernels& first, const SideKernels& second
);

} // namespace kvprof::analyzers
