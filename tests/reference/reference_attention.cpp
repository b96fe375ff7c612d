#include "tests/reference/reference_attention.h"

#include "kernels/content.h"

#include <algorithm>
#include <cmath>

namespace kvprof::reference {
namespace {

/// bf16: a sign, 8 bits of exponent (bias 127), 7 bits of fraction.
double value_of(std::uint16_t bits) {
    if ((bits & 0x7fffU) == 0) {
        return 0.0;
    }
    const int exponent = ((bits >> 7) & 0xff) - 127;
    const double magnitude = std::ldexp(1.0 + (bits & 0x7f) / 128.0, exponent);
    return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
}

std::vector<double>
head_of(std::uint64_t key, std::int64_t plane, std::int64_t first, std::int64_t dim) {
    std::vector<double> values;
    for (std::int64_t element = first; element < first + dim; ++element) {
        values.push_back(value_of(kernels::content_bf16(key, plane, element)));
    }
    return values;
}

/// The newest token is the lane's own, whatever the prefix says: the step writes it.
std::uint64_t key_at(const ReferenceRequest& request, std::int64_t position) {
    const bool is_shared = position < request.shared_tokens && position != request.len - 1;
    const auto owner = is_shared ? request.shared_owner : request.owner;
    return kernels::content_key(request.seed, owner, position);
}

} // namespace

std::vector<double> reference_attention(const ReferenceRequest& request) {
    const auto& heads = request.heads;
    const auto kv_head = request.head / (heads.query_heads / heads.kv_heads);
    const auto query_key = kernels::content_key(request.seed, request.owner, -1 - request.head);
    const auto query = head_of(query_key, 0, 0, heads.dim_k);
    std::vector<double> scores;
    for (std::int64_t position = request.start; position < request.len; position += request.step) {
        const auto key = key_at(request, position);
        const auto k = head_of(key, request.plane, kv_head * heads.dim_k, heads.dim_k);
        double dot = 0.0;
        for (std::size_t i = 0; i < k.size(); ++i) {
            dot += query[i] * k[i];
        }
        scores.push_back(request.scale * dot);
    }

    std::vector<double> out(static_cast<std::size_t>(heads.dim_v), 0.0);
    if (scores.empty()) {
        return out;
    }
    const double maximum = *std::max_element(scores.begin(), scores.end());
    double sum = 0.0;
    for (const double score : scores) {
        sum += std::exp(score - maximum);
    }
    const auto v_plane = request.is_v_in_k ? request.plane : request.plane + 1;
    for (std::size_t p = 0; p < scores.size(); ++p) {
        const auto key =
            key_at(request, request.start + static_cast<std::int64_t>(p) * request.step);
        const auto v = head_of(key, v_plane, kv_head * heads.dim_v, heads.dim_v);
        const double weight = std::exp(scores[p] - maximum) / sum;
        for (std::size_t i = 0; i < v.size(); ++i) {
            out[i] += weight * v[i];
        }
    }
    return out;
}

} // namespace kvprof::reference
