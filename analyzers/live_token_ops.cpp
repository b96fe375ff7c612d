#include "analyzers/live_token_ops.h"

namespace kvprof::analyzers {

namespace {

/// Metadata kernels fill a table from req_to_token or copy the rectangle. Where a translator fills
/// the table instead, lengths and row starts are left to them, a few words a lane.
bool fills_a_table(const StepSpec& step) {
    return step.pool == PoolKind::statik || step.index_mode == IndexMode::rectangle
           || step.index_mode == IndexMode::both;
}

} // namespace

bool follows_live_tokens(OpKind op, std::string_view kernel, const StepSpec& step) {
    switch (op) {
    // An entry for each live page.
    case OpKind::page_table:
    case OpKind::static_block_table:
    // An id for each live token.
    case OpKind::token_stream:
    case OpKind::table_and_stream:
    case OpKind::fused_metadata:
    case OpKind::repack:
    case OpKind::stream_copy:
    case OpKind::static_gather:
    case OpKind::dcp_stream: return true;
    // A row of K and V for each live token; what merges the parts of split lanes has a row a part.
    case OpKind::attention: return kernel.find("combine") == std::string_view::npos;
    case OpKind::fa_metadata:
    case OpKind::trtllm_metadata: return fills_a_table(step);
    // A window holds no more tokens than its size: past it the time rightly stays.
    case OpKind::window_stream:
    // A word, a row or a few of them for each lane.
    case OpKind::indptr:
    case OpKind::write_loc:
    case OpKind::write_loc_dcp:
    case OpKind::write_loc_tail:
    case OpKind::swa_write_loc:
    case OpKind::full_to_swa:
    case OpKind::append:
    case OpKind::len_cast:
    case OpKind::kv_splits:
    case OpKind::verify_csr: // lengths and row starts; its stream is a token-stream
    case OpKind::state_slots:
    case OpKind::state_read:
    case OpKind::lane_inputs:
    case OpKind::kv_write:
    // An item for each page that is bound, freed, zeroed or moved in this step.
    case OpKind::alloc_bind:
    case OpKind::bind:
    case OpKind::free_unbind:
    case OpKind::lazy_free:
    case OpKind::alloc_decode:
    case OpKind::zero_pages:
    case OpKind::swa_free:
    case OpKind::compaction_move:
    case OpKind::freed_pages:
    case OpKind::fresh_ids:
    case OpKind::prefill: break;
    }
    return false;
}

} // namespace kvprof::analyzers
