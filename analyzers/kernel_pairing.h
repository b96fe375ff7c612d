#pragma once

#include "capture/model/enum_names.h"
#include "capture/model/trace.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace kvprof::analyzers {

/// What makes a kernel of one side that of the other.
enum class KernelMatch : std::uint8_t {
    name,      ///< the full name
    spelling,  ///< the name as two programs write it (normalised_kernel_name)
    base_name, ///< its base name, which no other kernel of either side has
    renamed    ///< launch shape, launches a step and neighbours on the stream
};

} // namespace kvprof::analyzers

namespace kvprof {

template<>
struct EnumNames<analyzers::KernelMatch> {
    static constexpr std::array values{
        std::pair{analyzers::KernelMatch::name, "name"},
        std::pair{analyzers::KernelMatch::spelling, "spelling"},
        std::pair{analyzers::KernelMatch::base_name, "base-name"},
        std::pair{analyzers::KernelMatch::renamed, "renamed"}};
};

} // namespace kvprof

namespace kvprof::analyzers {

/// A kernel of one side as pairing knows it. Neighbours are places in the same list.
struct PairableKernel {
    std::string_view name;
    Dim3 grid{}; ///< all 0: unknown
    Dim3 block{};
    double launches = 0.0; ///< a step
    std::optional<std::size_t> before;
    std::optional<std::size_t> after;
};

struct KernelPair {
    std::size_t base = 0; ///< places
    std::size_t candidate = 0;
    KernelMatch match{};

    friend bool operator==(const KernelPair&, const KernelPair&) = default;
};

/// Pairs kernels, each at most once: by full name; across programs by spelling, then by base name;
/// what is left on both sides as renamed, where exactly one kernel of each fits the other. Neither
/// the order of the lists nor that of pairing decides anything. In the order of the base.
/// @param is_of_one_program both sides were written by the same program @pre names are distinct
[[nodiscard]] std::vector<KernelPair> pair_kernels(
    const std::vector<PairableKernel>& base,
    const std::vector<PairableKernel>& candidate,
    bool is_of_one_program
);

} // namespace kvprof::analyzers
