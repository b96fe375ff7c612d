#pragma once

#include "capture/model/enum_names.h"
#include "capture/workload/sub_pool.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace kvprof::workload {

enum class ElementType : std::uint8_t { fp8, bf16, fp32 };

/// Attention layers of one kind. MHA/GQA has kv_heads and head_dim (K and V equally wide); MLA has
/// latent_dim and rope_dim instead.
struct AttentionShape {
    std::int64_t layers = 0;
    std::int64_t kv_heads = 0;
    std::int64_t head_dim = 0;
    std::int64_t latent_dim = 0;
    std::int64_t rope_dim = 0;
    std::int64_t window = 0; ///< tokens that a sliding-window layer reads; 0 for full attention
    ElementType element = ElementType::bf16;

    friend bool operator==(const AttentionShape&, const AttentionShape&) = default;
};

/// Recurrent state of one request: per layer, `conv_taps` rows of every conv part and one temporal
/// tensor [heads, rows, columns]; of short convolutions alone, no temporal tensor.
struct StateShape {
    std::int64_t layers = 0;
    bool beside_attention = false; ///< in layers that have attention too
    std::vector<std::int64_t> conv_channels;
    std::int64_t conv_taps = 0;
    std::array<std::int64_t, 3> temporal{0, 0, 0};
    ElementType conv_element = ElementType::bf16;
    ElementType temporal_element = ElementType::fp32;

    friend bool operator==(const StateShape&, const StateShape&) = default;
};

/// The numbers of a model that decide its KV pools. Layers count only those that own KV or state; a
/// kind that the model does not have has 0 layers.
struct ModelSpec {
    std::string name;
    std::string provenance;
    std::int64_t layers = 0;
    std::int64_t shared_kv_layers = 0; ///< attention layers that read what another layer owns
    std::int64_t query_heads = 0;
    std::int64_t max_context = 0;
    AttentionShape full;
    AttentionShape swa;
    StateShape state;

    friend bool operator==(const ModelSpec&, const ModelSpec&) = default;
};

[[nodiscard]] std::int64_t element_bytes(ElementType type);
[[nodiscard]] bool is_mla(const AttentionShape& shape);
[[nodiscard]] bool has_temporal(const StateShape& shape);
/// `heads` of a layer that one of `tp` ranks holds, at least 1. @throws UsageError when they do not
/// divide.
[[nodiscard]] std::int64_t heads_per_rank(std::int64_t heads, std::int64_t tp);
/// Bytes of one slot on one rank, all layers: per token for full and swa, per request for state; 0
/// for a kind that the model does not have.
[[nodiscard]] std::int64_t entry_bytes(const ModelSpec& model, StateKind kind, std::int64_t tp);
/// Row blocks per page: layers (MLA), 2 * layers (MHA), 1 (state); 0 for a kind that is not there.
[[nodiscard]] std::int64_t mult_of(const ModelSpec& model, StateKind kind);
/// The sub-pools of the unified buffer in address order: state or sliding windows grow up and full
/// grows down; of a model with all three kinds, the windows float between them. A model with full
/// attention alone gets a second END of 1 MiB state slots, marked synthetic, because the buffer
/// needs two.
[[nodiscard]] std::vector<SubPool>
unified_sub_pools(const ModelSpec& model, std::int64_t tp, std::int64_t page_size);

} // namespace kvprof::workload

namespace kvprof {

template<>
struct EnumNames<workload::ElementType> {
    static constexpr std::array values{
        std::pair{workload::ElementType::fp8, "fp8"},
        std::pair{workload::ElementType::bf16, "bf16"},
        std::pair{workload::ElementType::fp32, "fp32"}};
};

} // namespace kvprof
