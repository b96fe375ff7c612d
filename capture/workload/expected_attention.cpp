#include "capture/workload/expected_attention.h"

#include "kernels/content.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <thread>

namespace kvprof::workload {
namespace {

using kernels::content_key;
using kernels::content_sixty_fourths;

// About a millisecond: little beside a thread's start, and enough parts for every thread.
constexpr std::int64_t kPositionsPerPart = 1024;

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
        std::vector<double> own_v(static_cast<std::size_t>(kv_heads_) * dim_v_);
        const auto v = request_.is_v_in_k ? std::span<const double>(k).first(own_v.size())
                                          : std::span<const double>(own_v);
        for (std::int64_t position = begin; position < end; position += request_.step) {
            read_token(position, k, own_v);
            for (std::int64_t head = 0; head < request_.head_count; ++head) {
                const auto kv_head = (request_.first_head + head) / group_ - first_kv_head_;
                const auto query = slice(std::span<const double>(queries_), head, dim_k_);
                const auto k_head = slice(std::span<const double>(k), kv_head, dim_k_);
                partials[static_cast<std::size_t>(head)].add(
                    request_.scale * dot(query, k_head), 1.0, slice(v, kv_head, dim_v_)
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
        if (!request_.is_v_in_k) {
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

/// Positions begin, begin + step, ... below end of one request.
struct Part {
    std::size_t request;
    std::int64_t begin;
    std::int64_t end;
};

std::vector<Part> parts_of(std::span<const ExpectedAttention> requests) {
    std::vector<Part> parts;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const ExpectedAttention& request = requests[i];
        const std::int64_t len = request.head_count > 0 ? request.len : 0;
        const std::int64_t stride = kPositionsPerPart * request.step;
        for (std::int64_t at = request.start; at < len; at += stride) {
            parts.push_back({i, at, std::min(at + stride, len)});
        }
    }
    return parts;
}

/// Calls work(0), work(1), ... work(count - 1) on the machine's threads, this one among them.
template<typename Work>
void share(std::size_t count, const Work& work) {
    std::atomic<std::size_t> next{0};
    const auto take = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            work(i);
        }
    };
    const std::size_t hands = std::min<std::size_t>(std::thread::hardware_concurrency(), count);
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < hands; ++i) {
        others.emplace_back(take);
    }
    take();
}

/// [head_count, dim_v] from the partials of a request's parts, in order.
std::vector<double>
merge(const ExpectedAttention& request, std::span<const std::vector<PartialHead>> partials) {
    const auto dim_v = static_cast<std::size_t>(request.heads.dim_v);
    const auto heads = static_cast<std::size_t>(std::max<std::int64_t>(request.head_count, 0));
    std::vector<double> out(heads * dim_v, 0.0);
    for (std::size_t head = 0; head < heads && !partials.empty(); ++head) {
        PartialHead merged = partials.front()[head];
        for (const auto& part : partials.subspan(1)) {
            merged.add(part[head].maximum, part[head].sum, part[head].weighted);
        }
        for (std::size_t i = 0; i < dim_v; ++i) {
            out[head * dim_v + i] = merged.weighted[i] / merged.sum;
        }
    }
    return out;
}

} // namespace

std::vector<std::vector<double>> expected_attentions(std::span<const ExpectedAttention> requests) {
    const std::vector<Part> parts = parts_of(requests);
    const std::vector<LaneAttention> lanes(requests.begin(), requests.end());
    std::vector<std::vector<PartialHead>> partials(parts.size());
    share(parts.size(), [&](std::size_t i) {
        partials[i] = lanes[parts[i].request].over(parts[i].begin, parts[i].end);
    });
    std::vector<std::vector<double>> out;
    auto first = parts.begin();
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const auto last =
            std::find_if(first, parts.end(), [&](const Part& part) { return part.request != i; });
        const auto own = std::span(partials).subspan(
            static_cast<std::size_t>(first - parts.begin()), static_cast<std::size_t>(last - first)
        );
        out.push_back(merge(requests[i], own));
        first = last;
    }
    return out;
}

std::vector<double> expected_attention(const ExpectedAttention& request) {
    return expected_attentions({&request, 1}).front();
}

} // namespace kvprof::workload
