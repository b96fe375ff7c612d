#include "capture/workload/model_spec.h"

#include "capture/model/error.h"

#include <fmt/format.h>

#include <numeric>

namespace kvprof::workload {

namespace {

/// A scheduler keeps this many state slots per request at worst: the running one and two snapshots.
constexpr std::int64_t kStateSlotsPerRequest = 3;
constexpr std::int64_t kSyntheticStateBytes = std::int64_t{1} << 20;

std::int64_t row_elements(const AttentionShape& shape, std::int64_t tp) {
    if (is_mla(shape)) {
        return shape.latent_dim + shape.rope_dim;
    }
    return 2 * heads_per_rank(shape.kv_heads, tp) * shape.head_dim;
}

std::int64_t token_bytes(const AttentionShape& shape, std::int64_t tp) {
    if (shape.layers == 0) {
        return 0;
    }
    return shape.layers * row_elements(shape, tp) * element_bytes(shape.element);
}

/// Ranks that hold different channels: one that holds a replicated head holds that head's channels.
std::int64_t channel_ranks(const StateShape& shape, std::int64_t tp) {
    return has_temporal(shape) ? shape.temporal[0] / heads_per_rank(shape.temporal[0], tp) : tp;
}

std::int64_t channels_per_rank(const StateShape& shape, std::int64_t tp) {
    const std::int64_t channels =
        std::accumulate(shape.conv_channels.begin(), shape.conv_channels.end(), std::int64_t{0});
    const std::int64_t ranks = channel_ranks(shape, tp);
    if (ranks < 1 || channels % ranks != 0) {
        throw UsageError(
            fmt::format("could not divide {} convolution channels over {} ranks", channels, ranks),
            "choose --tp so that it divides them"
        );
    }
    return channels / ranks;
}

std::int64_t state_bytes(const StateShape& shape, std::int64_t tp) {
    if (shape.layers == 0) {
        return 0;
    }
    const std::int64_t conv = shape.conv_taps * channels_per_rank(shape, tp);
    std::int64_t bytes = conv * element_bytes(shape.conv_element);
    if (has_temporal(shape)) {
        const auto [heads, rows, columns] = shape.temporal;
        bytes += heads_per_rank(heads, tp) * rows * columns * element_bytes(shape.temporal_element);
    }
    return shape.layers * bytes;
}

std::int64_t row_blocks(const AttentionShape& shape) {
    return is_mla(shape) ? shape.layers : 2 * shape.layers;
}

RowLayout row_layout(const AttentionShape& shape) {
    return is_mla(shape) ? RowLayout::mla : RowLayout::mha;
}

SubPool full_pool(const ModelSpec& model, std::int64_t tp, std::int64_t page_size) {
    return {
        .kind = StateKind::full,
        .layout = row_layout(model.full),
        .growth = Growth::down,
        .entry_bytes = entry_bytes(model, StateKind::full, tp),
        .page_size = page_size,
        .mult = mult_of(model, StateKind::full),
        .request_slots = model.swa.layers > 0 ? model.swa.window + page_size : page_size};
}

SubPool window_pool(const ModelSpec& model, std::int64_t tp, std::int64_t page_size) {
    return {
        .kind = StateKind::swa,
        .layout = row_layout(model.swa),
        .growth = model.state.layers > 0 ? Growth::floating : Growth::up,
        .entry_bytes = entry_bytes(model, StateKind::swa, tp),
        .page_size = page_size,
        .mult = mult_of(model, StateKind::swa),
        .request_slots = model.swa.window + page_size};
}

SubPool state_pool(const ModelSpec& model, std::int64_t tp) {
    const bool is_synthetic = model.state.layers == 0;
    return {
        .kind = StateKind::state,
        .layout = RowLayout::state,
        .growth = Growth::up,
        .entry_bytes =
            is_synthetic ? kSyntheticStateBytes : entry_bytes(model, StateKind::state, tp),
        .request_slots = is_synthetic ? 1 : kStateSlotsPerRequest,
        .is_synthetic = is_synthetic};
}

} // namespace

std::int64_t element_bytes(ElementType type) {
    switch (type) {
    case ElementType::fp8: return 1;
    case ElementType::bf16: return 2;
    case ElementType::fp32: return 4;
    }
    return 0;
}

bool is_mla(const AttentionShape& shape) {
    return shape.latent_dim > 0;
}

bool has_temporal(const StateShape& shape) {
    return shape.temporal[0] > 0;
}

std::int64_t heads_per_rank(std::int64_t heads, std::int64_t tp) {
    if (tp >= 1 && heads % tp == 0) {
        return heads / tp;
    }
    if (tp >= 1 && heads >= 1 && tp % heads == 0) {
        return 1;
    }
    throw UsageError(
        fmt::format("could not divide {} heads over {} ranks", heads, tp),
        "choose --tp so that one divides the other"
    );
}

std::int64_t entry_bytes(const ModelSpec& model, StateKind kind, std::int64_t tp) {
    switch (kind) {
    case StateKind::full: return token_bytes(model.full, tp);
    case StateKind::swa: return token_bytes(model.swa, tp);
    case StateKind::state: return state_bytes(model.state, tp);
    }
    return 0;
}

std::int64_t mult_of(const ModelSpec& model, StateKind kind) {
    switch (kind) {
    case StateKind::full: return row_blocks(model.full);
    case StateKind::swa: return row_blocks(model.swa);
    case StateKind::state: return model.state.layers > 0 ? 1 : 0;
    }
    return 0;
}

std::vector<SubPool>
unified_sub_pools(const ModelSpec& model, std::int64_t tp, std::int64_t page_size) {
    const bool has_windows = model.swa.layers > 0;
    std::vector<SubPool> pools;
    if (model.state.layers > 0 || !has_windows) {
        pools.push_back(state_pool(model, tp));
    }
    if (has_windows) {
        pools.push_back(window_pool(model, tp, page_size));
    }
    pools.push_back(full_pool(model, tp, page_size));
    return pools;
}

} // namespace kvprof::workload
