#include "kernels/host/attention.h"

#include "kernels/attention_math.h"
#include "kernels/content.h"
#include "kernels/kv_layout.h"
#include "kernels/launch_geometry_attention.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

namespace kvprof::kernels::host {
namespace {

using Head = std::array<float, kMaxHeadDim>;

float to_float(std::uint16_t bf16) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bf16) << 16U);
}

void load_head(const std::uint8_t* row, std::int64_t first, std::int64_t dim, Head& out) {
    std::array<std::uint16_t, kMaxHeadDim> bits;
    std::memcpy(bits.data(), row + first * 2, static_cast<std::size_t>(dim) * 2);
    std::transform(bits.begin(), bits.begin() + dim, out.begin(), to_float);
}

/// Four running sums: the compiler may not reorder one.
float dot(const Head& a, const Head& b, std::int64_t dim) {
    std::array<float, 4> sums{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(dim); ++i) {
        sums[i % 4] += a[i] * b[i];
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// One head of one split; accumulates in the caller's partial.
class OnlineSoftmax {
  public:
    OnlineSoftmax(float* partial, std::int64_t dim_v)
        : partial_(partial),
          dim_v_(dim_v) {
        std::fill_n(partial_, dim_v_, 0.0F);
    }

    void add(float score, const Head& v) {
        const float maximum = std::max(maximum_, score);
        const float kept = std::exp(maximum_ - maximum);
        const float weight = std::exp(score - maximum);
        for (std::size_t i = 0; i < static_cast<std::size_t>(dim_v_); ++i) {
            partial_[i] = partial_[i] * kept + weight * v[i];
        }
        sum_ = sum_ * kept + weight;
        maximum_ = maximum;
    }

    void finish() const {
        const bool is_empty = sum_ == 0.0F;
        for (std::int64_t i = 0; i < dim_v_ && !is_empty; ++i) {
            partial_[i] /= sum_;
        }
        partial_[dim_v_] = is_empty ? maximum_ : maximum_ + std::log(sum_);
    }

  private:
    float* partial_;
    std::int64_t dim_v_;
    float maximum_ = -std::numeric_limits<float>::infinity();
    float sum_ = 0.0F;
};

void run_split(
    const AttentionCall& call,
    const Head& query,
    std::int64_t lane,
    std::int64_t head,
    std::int64_t split
) {
    const HeadShape& heads = call.heads;
    const std::int64_t kv_head = head / (heads.query_heads / heads.kv_heads);
    const auto range = attended_range(call, lane, split);
    OnlineSoftmax softmax(
        call.partial + partial_offset(heads, call.splits, lane, head, split), heads.dim_v
    );
    Head k;
    Head v;
    for (std::int32_t position = range.begin; position < range.end; ++position) {
        const auto offset = row_offset(call.layer, attention_row(call, lane, position));
        load_head(call.layer.k + offset, kv_head * heads.dim_k, heads.dim_k, k);
        load_head(call.layer.v + offset, kv_head * heads.dim_v, heads.dim_v, v);
        softmax.add(call.scale * dot(query, k, heads.dim_k), v);
    }
    softmax.finish();
}

} // namespace

void run(const AttentionCall& call) {
    const HeadShape& heads = call.heads;
    assert(heads.dim_k <= kMaxHeadDim && heads.dim_v <= kMaxHeadDim);
    assert(heads.query_heads % heads.kv_heads == 0);
    for (std::int64_t lane = 0; lane < call.batch; ++lane) {
        for (std::int64_t head = 0; head < heads.query_heads; ++head) {
            const auto key = content_key(call.seed, call.owners[lane], -1 - head);
            Head query;
            for (std::int64_t element = 0; element < heads.dim_k; ++element) {
                query[static_cast<std::size_t>(element)] = to_float(content_bf16(key, 0, element));
            }
            for (std::int64_t split = 0; split < call.splits; ++split) {
                run_split(call, query, lane, head, split);
            }
        }
    }
}

void run(const AttentionCombineCall& call) {
    const std::int64_t dim_v = call.heads.dim_v;
    const std::int64_t width = partial_width(dim_v);
    for (std::int64_t row = 0; row < call.batch * call.heads.query_heads; ++row) {
        const float* partials = call.partial + row * call.splits * width;
        float* out = call.out + row * dim_v;
        float maximum = -std::numeric_limits<float>::infinity();
        for (std::int64_t split = 0; split < call.splits; ++split) {
            maximum = std::max(maximum, partials[split * width + dim_v]);
        }
        float sum = 0.0F;
        std::fill_n(out, dim_v, 0.0F);
        for (std::int64_t split = 0; split < call.splits && std::isfinite(maximum); ++split) {
            const float* partial = partials + split * width;
            const float weight = std::exp(partial[dim_v] - maximum);
            sum += weight;
            for (std::int64_t i = 0; i < dim_v; ++i) {
                out[i] += weight * partial[i];
            }
        }
        for (std::int64_t i = 0; i < dim_v && sum > 0.0F; ++i) {
            out[i] /= sum;
        }
    }
}

} // namespace kvprof::kernels::host
