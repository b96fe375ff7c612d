#include "capture/workload/expected_attention.h"

#include "kernels/content.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <thread>

namespace kvprof::workload {
namespace {

using kernels::content_key;
using kernels::content_sixty_fourths;

// Below this a thread costs more than it saves.
constexpr std::int64_t kLeastPositionsPerThread = 64;

/// Elements first .. of one plane; they are whole sixty-fourths, which a double holds exactly.
void fill_plane(std::span<double> out, std::uint64_t key, std::int64_t plane, std::int64_t first) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto element = first + static_cast<std::int64_t>(i);
        out[i] = content_sixty_fourths(key, plane, element) / 64.0;
    }
}

double dot(std::span<const double> a, std::span<const double> b) {
    constexpr std::size_t kSums = 8; // the compiler may not reorder one sum
    double sums[kSums] = {};
    std::size_t i = 0;
    for (; i + kSums <= a.size(); i += kSums) {
        for (std::size_t j = 0; j < kSums; ++j) {
            sums[j] += a[i + j] * b[i + j];
        }
    }
    for (; i < a.size(); ++i) {
        sums[0] += a[i] * b[i];
    }
    return ((sums[0] + sums[1]) + (sums[2] + sums[3]))
           + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

/// Running softmax of one head over some of the positions.
struct PartialHead {
    double maximum = -std::numeric_limits<double>::infinity();
    double sum = 0.0;
    std::vector<double> weighted; ///< [dim_v]

    /// Adds `count` tokens' worth: a sum of exponentials over `highest`, and V weighted alike.
    void add(double highest, double count, std::span<const double> v) {
        if (highest > maximum) {
            const double kept = std::exp(maximum - highest);
            sum *= kept;
            std::for_each(weighted.begin(), weighted.end(), [&](double& x) { x *= kept; });
            maximum = highest;
        }
        const double weight = std::exp(highest - maximum);
        sum += weight * count;
        for (std::size_t i = 0; i < v.size(); ++i) {
            weighted[i] += weight * v[i];
        }
    }
};

class LaneAttention {
  public:
    explicit LaneAttention(const ExpectedAttention& request)
        : request_(request),
          group_(request.heads.query_heads / request.heads.kv_heads),
          first_kv_head_(request.first_head / group_),
          kv_heads_((request.first_head + request.head_count - 1) / group_ - first_kv_head_ + 1),
          dim_k_(static_cast<std::size_t>(request.heads.dim_k)),
          dim_v_(static_cast<std::size_t>(request.heads.dim_v)),
          queries_(static_cast<std::size_t>(request.head_count) * dim_k_) {
        for (std::int64_t head = 0; head < request.head_count; ++head) {
            const auto key =
                content_key(request.seed, request.owner, -1 - request.first_head - head);
            fill_plane(slice(std::span(queries_), head, dim_k_), key, 0, 0);
        }
    }

    [[nodiscard]] std::vector<PartialHead> over(std::int64_t begin, std::int64_t end) const {
        std::vector<PartialHead> partials(static_cast<std::size_t>(request_.head_count));
        for (auto& partial : partials) {
            partial.weighted.assign(dim_v_, 0.0);
        }
        std::vector<double> k(static_cast<std::size_t>(kv_heads_) * dim_k_);
        std::vector<double> v(static_cast<std::size_t>(kv_heads_) * dim_v_);
        for (std::int64_t position = begin; position < end; ++position) {
            read_token(position, k, v);
            for (std::int64_t head = 0; head < request_.head_count; ++head) {
                const auto kv_head = (request_.first_head + head) / group_ - first_kv_head_;
                const auto query = slice(std::span<const double>(queries_), head, dim_k_);
                const auto k_head = slice(std::span<const double>(k), kv_head, dim_k_);
                partials[static_cast<std::size_t>(head)].add(
                    request_.scale * dot(query, k_head),
                    1.0,
                    slice(std::span<const double>(v), kv_head, dim_v_)
                );
            }
        }
        return partials;
    }

  private:
    template<typename T>
    static std::span<T> slice(std::span<T> all, std::int64_t index, std::size_t width) {
        return all.subspan(static_cast<std::size_t>(index) * width, width);
    }

    void read_token(std::int64_t position, std::span<double> k, std::span<double> v) const {
        const bool is_shared = position < request_.shared_tokens && position != request_.len - 1;
        const auto owner = is_shared ? request_.shared_owner : request_.owner;
        const auto key = content_key(request_.seed, owner, position);
        fill_plane(k, key, request_.plane, first_kv_head_ * request_.heads.dim_k);
        if (request_.is_v_in_k) {
            std::copy_n(k.begin(), v.size(), v.begin());
        } else {
            fill_plane(v, key, request_.plane + 1, first_kv_head_ * request_.heads.dim_v);
        }
    }

    const ExpectedAttention& request_;
    std::int64_t group_;
    std::int64_t first_kv_head_;
    std::int64_t kv_heads_;
    std::size_t dim_k_;
    std::size_t dim_v_;
    std::vector<double> queries_;
};

/// Deals the positions over threads, one contiguous range each.
std::vector<std::vector<PartialHead>>
split_over_threads(const ExpectedAttention& request, const LaneAttention& lane) {
    const auto positions = request.len - request.start;
    const auto most = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
    const auto parts = std::clamp<std::int64_t>(positions / kLeastPositionsPerThread, 1, most);
    std::vector<std::vector<PartialHead>> partials(static_cast<std::size_t>(parts));
    std::vector<std::jthread> threads;
    for (std::int64_t part = 0; part < parts; ++part) {
        threads.emplace_back([&, part] {
            partials[static_cast<std::size_t>(part)] = lane.over(
                request.start + positions * part / parts,
                request.start + positions * (part + 1) / parts
            );
        });
    }
    threads.clear(); // joins
    return partials;
}

} // namespace

std::vector<double> expected_attention(const ExpectedAttention& request) {
    const auto dim_v = static_cast<std::size_t>(request.heads.dim_v);
    std::vector<double> out(static_cast<std::size_t>(request.head_count) * dim_v, 0.0);
    if (request.start >= request.len || request.head_count <= 0) {
        return out;
    }
    const auto partials = split_over_threads(request, LaneAttention(request));
    for (std::size_t head = 0; head < static_cast<std::size_t>(request.head_count); ++head) {
        PartialHead merged = partials.front()[head];
        for (std::size_t part = 1; part < partials.size(); ++part) {
            const PartialHead& other = partials[part][head];
            merged.add(other.maximum, other.sum, other.weighted);
        }
        for (std::size_t i = 0; i < dim_v; ++i) {
            out[head * dim_v + i] = merged.weighted[i] / merged.sum;
        }
    }
    return out;
}

} // namespace kvprof::workload
