#include "kernels/call_name.h"

#include <variant>

namespace kvprof::kernels {
namespace {

struct NameOf {
    std::string_view operator()(const PageTableCall& /*call*/) const { return "page_table"; }

    std::string_view operator()(const TokenStreamCall& /*call*/) const { return "token_stream"; }

    std::string_view operator()(const RepackCall& /*call*/) const { return "repack"; }

    std::string_view operator()(const StaticGatherCall& /*call*/) const { return "static_gather"; }

    std::string_view operator()(const StaticBlockTableCall& /*call*/) const {
        return "static_block_table";
    }

    std::string_view operator()(const IndptrCall& /*call*/) const { return "indptr"; }

    std::string_view operator()(const WriteLocCall& /*call*/) const { return "write_loc"; }

    std::string_view operator()(const AllocBindCall& /*call*/) const { return "alloc_bind"; }

    std::string_view operator()(const BindCall& /*call*/) const { return "bind"; }

    std::string_view operator()(const FreeUnbindCall& /*call*/) const { return "free_unbind"; }

    std::string_view operator()(const AllocDecodeCall& /*call*/) const { return "alloc_decode"; }

    std::string_view operator()(const ZeroPagesCall& /*call*/) const { return "zero_pages"; }

    std::string_view operator()(const AppendCall& /*call*/) const { return "append"; }

    std::string_view operator()(const KvSplitsCall& /*call*/) const { return "kv_splits"; }

    std::string_view operator()(const DelayCall& /*call*/) const { return "delay"; }

    std::string_view operator()(const GatherCall& /*call*/) const { return "gather"; }

    std::string_view operator()(const Gather2dCall& /*call*/) const { return "gather_2d"; }

    std::string_view operator()(const ScatterCall& /*call*/) const { return "scatter"; }

    std::string_view operator()(const Scatter2dCall& /*call*/) const { return "scatter_2d"; }

    std::string_view operator()(const CumsumCall& /*call*/) const { return "cumsum"; }

    std::string_view operator()(const ConcatCall& /*call*/) const { return "concat"; }

    std::string_view operator()(const KvWriteCall& /*call*/) const { return "kv_write"; }

    std::string_view operator()(const KvFillCall& /*call*/) const { return "kv_fill"; }

    std::string_view operator()(const AttentionCall& /*call*/) const { return "attention"; }

    std::string_view operator()(const AttentionCombineCall& /*call*/) const {
        return "attention_combine";
    }

    std::string_view operator()(const FaMetadataCall& /*call*/) const { return "fa_metadata"; }

    std::string_view operator()(const TrtllmMetadataCall& /*call*/) const {
        return "trtllm_metadata";
    }

    std::string_view operator()(const LocalLensCall& /*call*/) const { return "local_lens"; }

    std::string_view operator()(const DcpGatherCall& /*call*/) const { return "dcp_gather"; }

    std::string_view operator()(const StreamTranslateCall& /*call*/) const {
        return "stream_translate";
    }

    std::string_view operator()(const StateSlotsCall& /*call*/) const { return "state_slots"; }

    std::string_view operator()(const TableAndStreamCall& /*call*/) const {
        return "table_and_stream";
    }

    std::string_view operator()(const FusedMetadataCall& /*call*/) const {
        return "fused_metadata";
    }

    std::string_view operator()(const CompactMoveCall& /*call*/) const { return "compact_move"; }

    std::string_view operator()(const StateWordsCall& call) const {
        return call.writes ? "state_write" : "state_read";
    }

    std::string_view operator()(const EnvelopeCopyCall& call) const {
        return call.is_gather ? "envelope_gather" : "envelope_scatter";
    }

    std::string_view operator()(const MapCall& call) const {
        switch (call.op) {
        case MapOp::copy: return "map_copy";
        case MapOp::add: return "map_add";
        case MapOp::sum: return "map_sum";
        case MapOp::page_tokens: return "map_page_tokens";
        case MapOp::subtract: return "map_subtract";
        case MapOp::multiply: return "map_multiply";
        case MapOp::floor_div: return "map_floor_div";
        case MapOp::remainder: return "map_remainder";
        case MapOp::clamp_min: return "map_clamp_min";
        case MapOp::minimum: return "map_minimum";
        case MapOp::equal: return "map_equal";
        case MapOp::less: return "map_less";
        case MapOp::less_than: return "map_less_than";
        case MapOp::select: return "map_select";
        case MapOp::arange: return "map_arange";
        case MapOp::ramp: return "map_ramp";
        case MapOp::fill: return "map_fill";
        }
        return "map";
    }
};

} // namespace

std::string_view name_of(const KernelCall& call) {
    return std::visit(NameOf{}, call);
}

} // namespace kvprof::kernels
