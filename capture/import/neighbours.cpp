#include "capture/import/neighbours.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kvprof::import {

namespace {

/// Two kernels of a stream, one right after the other; places in KernelTable::kernels.
struct Pair {
    std::uint32_t first = 0;
    std::uint32_t second = 0;

    [[nodiscard]] std::uint64_t hash() const {
        return mixed((std::uint64_t{first} << 32U) | second);
    }

    friend bool operator==(const Pair&, const Pair&) = default;
};

/// Where a stream stands: the last kernel counts as soon as the next one shows that it was alone.
struct Stream {
    std::int64_t start = 0;
    std::uint32_t duration = 0;
    bool is_tied = false; ///< the last kernel has a twin in time
    std::optional<std::uint32_t> last;
    std::optional<std::uint32_t> before_last;
};

class Pairs {
  public:
    explicit Pairs(std::uint32_t streams)
        : streams_(streams) {}

    void add(std::uint32_t at, const Record& record, std::uint32_t kernel) {
        Stream& stream = streams_[at];
        const bool is_twin =
            stream.last && stream.start == record.start && stream.duration == record.duration;
        if (is_twin) {
            stream.is_tied = true;
            return;
        }
        end_last(stream);
        stream = {record.start, record.duration, false, kernel, stream.before_last};
    }

    void finish() {
        for (Stream& stream : streams_) {
            end_last(stream);
        }
    }

    [[nodiscard]] const Interned<Pair>& pairs() const { return pairs_; }

    [[nodiscard]] std::int64_t count(std::uint32_t id) const { return counts_[id]; }

  private:
    void end_last(Stream& stream) {
        const std::optional<std::uint32_t> last = stream.is_tied ? std::nullopt : stream.last;
        if (last && stream.before_last) {
            const std::uint32_t id = pairs_.id_of({*stream.before_last, *last});
            counts_.resize(pairs_.size());
            ++counts_[id];
        }
        stream.before_last = last;
    }

    std::vector<Stream> streams_;
    Interned<Pair> pairs_;
    std::vector<std::int64_t> counts_;
};

Pairs pairs_of(const Recorded& recorded, const Ranks& ranks, const KernelTable& kernels) {
    Pairs pairs(ranks.streams());
    for (const Record& record : recorded.gpu) {
        const Lane& lane = recorded.lanes[record.lane];
        if (lane.kind == EventKind::kernel && lane.has_time) {
            const std::int64_t kernel = kernels.places[record.what];
            pairs.add(ranks.place(record.lane).stream, record, static_cast<std::uint32_t>(kernel));
        }
    }
    pairs.finish();
    return pairs;
}

/// The most frequent one so far.
struct Favourite {
    std::int64_t count = 0;
    std::uint32_t kernel = 0;

    void meet(std::int64_t times, std::uint32_t other, const KernelTable& table) {
        const auto name = [&](std::uint32_t at) {
            return std::string_view(table.kernels[at].name);
        };
        if (times > count || (times == count && name(other) < name(kernel))) {
            *this = {times, other};
        }
    }

    [[nodiscard]] std::optional<std::int64_t> place() const {
        return count > 0 ? std::optional<std::int64_t>(kernel) : std::nullopt;
    }
};

} // namespace

std::vector<KernelNeighbours>
neighbours_of(const Recorded& recorded, const Ranks& ranks, const KernelTable& kernels) {
    const Pairs pairs = pairs_of(recorded, ranks, kernels);
    std::vector<Favourite> before(kernels.kernels.size());
    std::vector<Favourite> after(kernels.kernels.size());
    for (std::uint32_t id = 0; id < pairs.pairs().size(); ++id) {
        const auto& [first, second] = pairs.pairs()[id];
        before[second].meet(pairs.count(id), first, kernels);
        after[first].meet(pairs.count(id), second, kernels);
    }
    std::vector<KernelNeighbours> neighbours;
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (before[i].count > 0 || after[i].count > 0) {
            neighbours.push_back({static_cast<std::int64_t>(i), before[i].place(), after[i].place()}
            );
        }
    }
    return neighbours;
}

} // namespace kvprof::import
