#pragma once

#include "capture/model/enum_names.h"

#include <cstdint>

namespace kvprof {

/// A row of the op catalogue (docs/metrics.md lists what each launches).
enum class OpKind : std::uint8_t {
    page_table,
    repack,
    token_stream,
    window_stream,
    indptr,
    static_gather,
    static_block_table,
    write_loc,
    write_loc_dcp,
    write_loc_tail,
    alloc_bind,
    bind,
    free_unbind,
    lazy_free,
    alloc_decode,
    zero_pages,
    append,
    len_cast,
    kv_splits,
    fa_metadata,
    trtllm_metadata,
    dcp_stream,
    verify_csr,
    table_and_stream,
    fused_metadata,
    stream_copy,
    swa_write_loc,
    full_to_swa,
    swa_free,
    state_slots,
    state_read,
    compaction_move,
    freed_pages,
    fresh_ids,
    prefill,
    lane_inputs,
    kv_write,
    attention
};

template<>
struct EnumNames<OpKind> {
    static constexpr std::array values{
        std::pair{OpKind::page_table, "page-table"},
        std::pair{OpKind::repack, "repack"},
        std::pair{OpKind::token_stream, "token-stream"},
        std::pair{OpKind::window_stream, "window-stream"},
        std::pair{OpKind::indptr, "indptr"},
        std::pair{OpKind::static_gather, "static-gather"},
        std::pair{OpKind::static_block_table, "static-block-table"},
        std::pair{OpKind::write_loc, "write-loc"},
        std::pair{OpKind::write_loc_dcp, "write-loc-dcp"},
        std::pair{OpKind::write_loc_tail, "write-loc-tail"},
        std::pair{OpKind::alloc_bind, "alloc-bind"},
        std::pair{OpKind::bind, "bind"},
        std::pair{OpKind::free_unbind, "free-unbind"},
        std::pair{OpKind::lazy_free, "lazy-free"},
        std::pair{OpKind::alloc_decode, "alloc-decode"},
        std::pair{OpKind::zero_pages, "zero-pages"},
        std::pair{OpKind::append, "append"},
        std::pair{OpKind::len_cast, "len-cast"},
        std::pair{OpKind::kv_splits, "kv-splits"},
        std::pair{OpKind::fa_metadata, "fa-metadata"},
        std::pair{OpKind::trtllm_metadata, "trtllm-metadata"},
        std::pair{OpKind::dcp_stream, "dcp-stream"},
        std::pair{OpKind::verify_csr, "verify-csr"},
        std::pair{OpKind::table_and_stream, "table-and-stream"},
        std::pair{OpKind::fused_metadata, "fused-metadata"},
        std::pair{OpKind::stream_copy, "stream-copy"},
        std::pair{OpKind::swa_write_loc, "swa-write-loc"},
        std::pair{OpKind::full_to_swa, "full-to-swa"},
        std::pair{OpKind::swa_free, "swa-free"},
        std::pair{OpKind::state_slots, "state-slots"},
        std::pair{OpKind::state_read, "state-read"},
        std::pair{OpKind::compaction_move, "compaction-move"},
        std::pair{OpKind::freed_pages, "freed-pages"},
        std::pair{OpKind::fresh_ids, "fresh-ids"},
        std::pair{OpKind::prefill, "prefill"},
        std::pair{OpKind::lane_inputs, "lane-inputs"},
        std::pair{OpKind::kv_write, "kv-write"},
        std::pair{OpKind::attention, "attention"}};
};

/// The part of a decode step that an op belongs to, in the order in which a step runs them.
enum class Stage : std::uint8_t { scheduler, inputs, write, metadata, model };

template<>
struct EnumNames<Stage> {
    static constexpr std::array values{
        std::pair{Stage::scheduler, "scheduler"},
        std::pair{Stage::inputs, "inputs"},
        std::pair{Stage::write, "write"},
        std::pair{Stage::metadata, "metadata"},
        std::pair{Stage::model, "model"}};
};

/// Launched every step before the graph replay (out), or recorded as nodes of the graph (in).
enum class Placement : std::uint8_t { out, in };

template<>
struct EnumNames<Placement> {
    static constexpr std::array values{
        std::pair{Placement::out, "out"}, std::pair{Placement::in, "in"}};
};

} // namespace kvprof
