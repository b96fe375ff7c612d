#include "analyzers/kernel_pairing.h"

#include "analyzers/kernel_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace kvprof::analyzers {

namespace {

using Kernels = std::vector<PairableKernel>;

/// The places of the kernels that have each key.
template<typename KeyOf>
auto places_by(const Kernels& kernels, const KeyOf& key_of) {
    std::map<decltype(key_of(kernels.front())), std::vector<std::size_t>> places;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        places[key_of(kernels[i])].push_back(i);
    }
    return places;
}

/// What a renamed kernel is known by: grid, block, launches, and what runs before and after it.
using RenamedKey = std::tuple<Dim3, Dim3, double, std::int64_t, std::int64_t>;

/// The kernels of one side with the pairs that they joined, which are numbered.
class PairedSide {
  public:
    explicit PairedSide(const Kernels& kernels)
        : kernels_(kernels),
          pairs_(kernels.size()),
          dependents_(kernels.size()) {
        for (std::size_t i = 0; i < kernels.size(); ++i) {
            for (const auto& neighbour : {kernels[i].before, kernels[i].after}) {
                if (neighbour && *neighbour != i) {
                    dependents_[*neighbour].push_back(i);
                }
            }
        }
    }

    [[nodiscard]] const Kernels& kernels() const { return kernels_; }

    [[nodiscard]] bool is_free(std::size_t kernel) const { return !pairs_[kernel]; }

    void join(std::size_t kernel, std::size_t pair) {
        pairs_[kernel] = pair;
        joined_.push_back(kernel);
    }

    /// The free kernels with a neighbour that joined a pair since the last call, each once.
    [[nodiscard]] std::vector<std::size_t> take_work() {
        std::vector<std::size_t> work;
        for (const std::size_t kernel : std::exchange(joined_, {})) {
            for (const std::size_t dependent : dependents_[kernel]) {
                if (is_free(dependent)) {
                    work.push_back(dependent);
                }
            }
        }
        std::sort(work.begin(), work.end());
        work.erase(std::unique(work.begin(), work.end()), work.end());
        return work;
    }

    /// Absent where a neighbour has no pair, where no other kernel is one, and without a shape.
    [[nodiscard]] std::optional<RenamedKey> key_of(std::size_t kernel) const {
        const PairableKernel& one = kernels_[kernel];
        const std::optional<std::int64_t> before = neighbour(kernel, one.before);
        const std::optional<std::int64_t> after = neighbour(kernel, one.after);
        const bool is_known = before && after && (*before >= 0 || *after >= 0);
        if (!is_known || one.grid == Dim3{}) {
            return std::nullopt;
        }
        return RenamedKey{one.grid, one.block, one.launches, *before, *after};
    }

  private:
    static constexpr std::int64_t kNone = -1;
    static constexpr std::int64_t kItself = -2;

    /// The neighbour's pair. By itself nothing is known.
    [[nodiscard]] std::optional<std::int64_t>
    neighbour(std::size_t kernel, std::optional<std::size_t> beside) const {
        if (!beside) {
            return kNone;
        }
        if (*beside == kernel) {
            return kItself;
        }
        const std::optional<std::size_t>& pair = pairs_[*beside];
        return pair ? std::optional(static_cast<std::int64_t>(*pair)) : std::nullopt;
    }

    const Kernels& kernels_;
    std::vector<std::optional<std::size_t>> pairs_;
    std::vector<std::vector<std::size_t>> dependents_; ///< of which a kernel is the neighbour
    std::vector<std::size_t> joined_;                  ///< since the last take_work()
};

class Pairing {
  public:
    Pairing(const Kernels& base, const Kernels& candidate)
        : base_(base),
          candidate_(candidate) {}

    /// Those that alone have a key on either side. Copies and fills have no spelling: it is empty.
    template<typename KeyOf>
    void pair_by(KernelMatch match, const KeyOf& key_of) {
        const auto others = places_by(candidate_.kernels(), key_of);
        for (const auto& [key, places] : places_by(base_.kernels(), key_of)) {
            const auto found = others.find(key);
            if (!key.empty() && found != others.end() && places.size() == 1
                && found->second.size() == 1 && base_.is_free(places.front())
                && candidate_.is_free(found->second.front())) {
                pair(places.front(), found->second.front(), match);
            }
        }
    }

    /// A pair may be the neighbour that the next one is known by. A kernel keeps the key that it
    /// got: a round looks only at those beside the pairs of the round before.
    void pair_renamed() {
        std::map<RenamedKey, Fits> fits;
        while (true) {
            std::set<RenamedKey> touched;
            add_fits(base_, &Fits::base, fits, touched);
            add_fits(candidate_, &Fits::candidate, fits, touched);
            if (touched.empty()) {
                return;
            }
            for (const RenamedKey& key : touched) {
                const auto found = fits.find(key);
                if (found->second.base.size() == 1 && found->second.candidate.size() == 1) {
                    pair(
                        found->second.base.front(),
                        found->second.candidate.front(),
                        KernelMatch::renamed
                    );
                    fits.erase(found);
                }
            }
        }
    }

    [[nodiscard]] std::vector<KernelPair> take() && {
        std::sort(pairs_.begin(), pairs_.end(), [](const KernelPair& a, const KernelPair& b) {
            return a.base < b.base;
        });
        return std::move(pairs_);
    }

  private:
    /// The free kernels that have one key.
    struct Fits {
        std::vector<std::size_t> base;
        std::vector<std::size_t> candidate;
    };

    static void add_fits(
        PairedSide& side,
        std::vector<std::size_t> Fits::*of_side,
        std::map<RenamedKey, Fits>& fits,
        std::set<RenamedKey>& touched
    ) {
        for (const std::size_t kernel : side.take_work()) {
            if (const std::optional<RenamedKey> key = side.key_of(kernel)) {
                (fits[*key].*of_side).push_back(kernel);
                touched.insert(*key);
            }
        }
    }

    void pair(std::size_t base, std::size_t candidate, KernelMatch match) {
        base_.join(base, pairs_.size());
        candidate_.join(candidate, pairs_.size());
        pairs_.push_back({base, candidate, match});
    }

    PairedSide base_;
    PairedSide candidate_;
    std::vector<KernelPair> pairs_;
};

} // namespace

std::vector<KernelPair>
pair_kernels(const Kernels& base, const Kernels& candidate, bool is_of_one_program) {
    Pairing pairing(base, candidate);
    pairing.pair_by(KernelMatch::name, [](const PairableKernel& kernel) { return kernel.name; });
    if (!is_of_one_program) {
        pairing.pair_by(KernelMatch::spelling, [](const PairableKernel& kernel) {
            return normalised_kernel_name(kernel.name);
        });
        pairing.pair_by(KernelMatch::base_name, [](const PairableKernel& kernel) {
            return base_kernel_name(kernel.name);
        });
    }
    pairing.pair_renamed();
    return std::move(pairing).take();
}

} // namespace kvprof::analyzers
