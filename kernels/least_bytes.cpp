#include "kernels/least_bytes.h"

#include "kernels/attention_math.h"
#include "kernels/backend_rules.h"
#include "kernels/byte_counts.h"
#include "kernels/fused_least_bytes.h"
#include "kernels/kv_layout.h"
#include "kernels/read_rules.h"
#include "kernels/stream_rules.h"

#include <algorithm>
#include <variant>

namespace kvprof::kernels {
namespace {

/// A stream lane has its place too, and the window's start.
std::int64_t stream_lane_bytes(const IndexArray& lens, const IndexArray& starts) {
    return lane_bytes(lens) + kInt32 + element_bytes(starts);
}

/// One element of req_to_token and one of v2p.
std::int64_t page_bytes(const ReadLanes& lanes) {
    return kInt32 + element_bytes(lanes.v2p);
}

/// Rows of K and V of one token in one layer. MLA's V is a part of its K.
std::int64_t token_bytes(const KvLayer& layer, const HeadShape& heads) {
    return kBf16 * (k_elements(heads) + v_elements(layer, heads));
}

std::int64_t partial_bytes(const HeadShape& heads, std::int64_t batch, std::int64_t splits) {
    return kInt32 * batch * heads.query_heads * splits * partial_width(heads.dim_v);
}

/// Distinct elements of an operand that an operation over [rows, cols] reads: a stride of 0 repeats
/// one element.
std::int64_t elements_of(const Operand& operand, std::int64_t rows, std::int64_t cols) {
    return (operand.row_stride == 0 ? std::min<std::int64_t>(rows, 1) : rows)
           * (operand.col_stride == 0 ? std::min<std::int64_t>(cols, 1) : cols);
}

std::int64_t operand_bytes(const Operand& operand, std::int64_t elements) {
    return index_bytes(operand.type) * elements;
}

bool reads_a(MapOp op) {
    return op != MapOp::arange && op != MapOp::ramp && op != MapOp::fill;
}

bool reads_b(MapOp op) {
    return op == MapOp::sum || op == MapOp::subtract || op == MapOp::minimum
           || op == MapOp::less_than;
}

/// Elements of [rows, cols] at which operand c is not zero.
std::int64_t chosen(const MapCall& call) {
    std::int64_t count = 0;
    for (std::int64_t row = 0; row < call.rows; ++row) {
        for (std::int64_t col = 0; col < call.cols; ++col) {
            count += load_operand(call.c, row, col) != 0 ? 1 : 0;
        }
    }
    return count;
}

std::int64_t bytes_of(const MapCall& call) {
    const std::int64_t all = call.rows * call.cols;
    const bool is_select = call.op == MapOp::select;
    const std::int64_t picked = call.masked || is_select ? chosen(call) : all;
    const auto up_to = [&](const Operand& operand, std::int64_t elements) {
        const auto most = elements_of(operand, call.rows, call.cols);
        return operand_bytes(operand, std::min(elements, most));
    };
    std::int64_t bytes = index_bytes(call.out.type) * (call.masked ? picked : all);
    bytes += call.masked || is_select ? up_to(call.c, all) : 0;
    bytes += reads_a(call.op) ? up_to(call.a, picked) : 0;
    bytes += reads_b(call.op) ? up_to(call.b, picked) : 0;
    // Where a masked select writes, its mask has chosen a.
    bytes += is_select && !call.masked ? up_to(call.b, all - picked) : 0;
    return bytes;
}

/// Tables of a metadata kernel: its lane's row once, a source's element once for both tables.
std::int64_t table_bytes(const FaMetadataCall& call, std::int64_t lane) {
    const auto columns_of = [&](const MetadataTable& table) {
        const auto cap = column_cap(call, table);
        return at_least_zero(live_columns(cache_length(call, lane), call.page_size, cap));
    };
    const auto full = columns_of(call.table);
    const auto window = columns_of(call.window_table);
    const bool is_shared = call.source == TableSource::req_to_token;
    const auto read = is_shared ? std::max(full, window) : full + window;
    return kInt32 * (read + full + window) + element_bytes(call.table.full_to_swa) * full
           + element_bytes(call.window_table.full_to_swa) * window;
}

std::int64_t bytes_of(const FaMetadataCall& call) {
    const bool has_table = call.table.out != nullptr || call.window_table.out != nullptr;
    const bool reads_rows = has_table && call.source == TableSource::req_to_token;
    const auto each = index_bytes(call.lens.type) + 2 * kInt32 + (reads_rows ? kInt64 : 0);
    const auto tables =
        over_lanes(call.batch, [&](std::int64_t lane) { return table_bytes(call, lane); });
    return call.batch <= 0 ? 0 : call.batch * each + kInt32 + tables;
}

std::int64_t bytes_of(const TableAndStreamCall& call) {
    const ReadLanes& lanes = call.lanes;
    const auto each = stream_lane_bytes(lanes.lens, call.starts);
    return over_lanes(rows_of(call), [&](std::int64_t lane) {
        if (lane >= lanes.batch) {
            return kInt32 * call.width; // a padded row is zeroes
        }
        const auto extent = table_and_stream_lane(call, lane);
        const auto columns = at_least_zero(extent.columns);
        const auto last = pages_of(extent.start + extent.tokens, lanes.page_size);
        const auto first = std::max(extent.start / lanes.page_size, columns);
        const auto pages = columns + (extent.tokens > 0 ? at_least_zero(last - first) : 0);
        return each + page_bytes(lanes) * pages + kInt32 * (call.zero_tail ? call.width : columns)
               + index_bytes(call.stream.type) * extent.tokens;
    });
}

struct LeastBytes {
    using Bytes = std::optional<std::int64_t>;

    Bytes operator()(const PageTableCall& call) const {
        const auto& lanes = call.lanes;
        return over_lanes(lanes.batch, [&](std::int64_t lane) {
            const auto length = load_index(lanes.lens, lane);
            const auto columns =
                at_least_zero(live_columns(length, lanes.page_size, column_cap(call)));
            return lane_bytes(lanes.lens) + page_bytes(lanes) * columns
                   + kInt32 * (call.zero_tail ? call.width : columns);
        });
    }

    Bytes operator()(const TokenStreamCall& call) const {
        const auto& lanes = call.lanes;
        return over_lanes(lanes.batch, [&](std::int64_t lane) {
            const auto tokens = at_least_zero(listed_tokens(call, lane));
            const auto start = start_of(call.starts, lane);
            return stream_lane_bytes(lanes.lens, call.starts)
                   + page_bytes(lanes) * pages_between(start, tokens, lanes.page_size)
                   + index_bytes(call.out.type) * tokens;
        });
    }

    Bytes operator()(const RepackCall& call) const {
        return over_lanes(call.batch, [&](std::int64_t lane) {
            const auto start = start_of(call.starts, lane);
            const auto tokens = at_least_zero(live_tokens(
                load_index(call.lens, lane),
                start,
                readable_tokens(call),
                call.capacity - call.indptr[lane]
            ));
            return stream_lane_bytes(call.lens, call.starts)
                   - kInt64 // its lanes are the table's rows
                   + kInt32 * pages_between(start, tokens, call.page_size)
                   + index_bytes(call.out.type) * tokens;
        });
    }

    Bytes operator()(const StaticGatherCall& call) const {
        return over_lanes(call.batch, [&](std::int64_t lane) {
            const auto tokens = at_least_zero(live_tokens(
                load_index(call.lens, lane),
                start_of(call.starts, lane),
                call.req_columns,
                call.capacity - call.indptr[lane]
            ));
            return stream_lane_bytes(call.lens, call.starts)
                   + (kInt32 + element_bytes(call.full_to_swa) + index_bytes(call.out.type))
                         * tokens;
        });
    }

    Bytes operator()(const StaticBlockTableCall& call) const {
        return over_lanes(call.batch, [&](std::int64_t lane) {
            const auto length = load_index(call.lens, lane);
            const auto columns =
                at_least_zero(live_columns(length, call.page_size, column_cap(call)));
            return lane_bytes(call.lens) + (2 * kInt32 + element_bytes(call.full_to_swa)) * columns;
        });
    }

    Bytes operator()(const IndptrCall& call) const {
        return call.batch <= 0
                   ? 0
                   : call.batch * index_bytes(call.lens.type) + (call.batch + 1) * kInt32;
    }

    Bytes operator()(const WriteLocCall& call) const {
        return call.count * (kInt64 + element_bytes(call.v2p)) + call.out_count * kInt64;
    }

    Bytes operator()(const AllocBindCall& call) const {
        return call.count * (3 * kInt64 + element_bytes(call.v2p));
    }

    Bytes operator()(const BindCall& call) const {
        return call.count * (3 * kInt64 + element_bytes(call.v2p));
    }

    Bytes operator()(const FreeUnbindCall& call) const {
        return call.count * (3 * kInt64 + 2 * element_bytes(call.v2p));
    }

    /// Of last_loc or of the free list, whichever gives the lane its id.
    Bytes operator()(const AllocDecodeCall& call) const { return call.batch * 3 * kInt64; }

    Bytes operator()(const ZeroPagesCall& call) const {
        return call.count * (kInt64 + call.page_bytes);
    }

    Bytes operator()(const AppendCall& call) const { return call.batch * (3 * kInt64 + kInt32); }

    Bytes operator()(const KvSplitsCall& call) const {
        return call.batch * (index_bytes(call.lens.type) + kInt32);
    }

    Bytes operator()(const DelayCall& /*call*/) const { return 0; }

    Bytes operator()(const MapCall& call) const { return bytes_of(call); }

    Bytes operator()(const GatherCall& call) const {
        const auto all = call.rows * call.cols;
        return operand_bytes(call.index, elements_of(call.index, call.rows, call.cols))
               + (index_bytes(call.table.type) + index_bytes(call.out.type)) * all;
    }

    Bytes operator()(const Gather2dCall& call) const {
        return call.rows * (kInt64 + 2 * kInt32 * call.cols);
    }

    Bytes operator()(const ScatterCall& call) const {
        return call.count
               * (index_bytes(call.index.type) + element_bytes(call.value)
                  + index_bytes(call.table.type));
    }

    Bytes operator()(const Scatter2dCall& call) const { return call.count * (3 * kInt64 + kInt32); }

    Bytes operator()(const CumsumCall& call) const {
        return call.count * (index_bytes(call.in.type) + index_bytes(call.out.type));
    }

    Bytes operator()(const ConcatCall& call) const {
        return 2 * kInt64 * (call.first_count + call.second_count);
    }

    Bytes operator()(const KvWriteCall& call) const {
        return call.bucket * (3 * kInt64 + token_bytes(call.layer, call.heads));
    }

    Bytes operator()(const KvFillCall& call) const {
        const auto& lanes = call.lanes;
        return over_lanes(lanes.batch, [&](std::int64_t lane) {
            const auto tokens = at_least_zero(fill_positions(call, lane));
            const bool is_paged = lanes.v2p.data != nullptr;
            const auto pages = is_paged ? pages_of(tokens, lanes.page_size) : tokens;
            return lane_bytes(lanes.lens) + kInt64 + page_bytes(lanes) * pages
                   + (element_bytes(call.full_to_swa) + token_bytes(call.layer, call.heads))
                         * tokens;
        });
    }

    Bytes operator()(const AttentionCall& call) const {
        const bool is_table = call.table != nullptr;
        const auto rows = over_lanes(call.batch, [&](std::int64_t lane) {
            const auto length = at_least_zero(load_index(call.lens, lane));
            const bool is_cut = call.window > 0 && is_table;
            const auto tokens = is_cut ? std::min(call.window, length) : length;
            const auto ids =
                is_table ? kInt32 * pages_between(length - tokens, tokens, call.page_size)
                         : kInt32 + index_bytes(call.stream.type) * tokens; // with its place
            return index_bytes(call.lens.type) + kInt64 + ids
                   + token_bytes(call.layer, call.heads) * tokens;
        });
        return rows + partial_bytes(call.heads, call.batch, call.splits);
    }

    Bytes operator()(const AttentionCombineCall& call) const {
        return partial_bytes(call.heads, call.batch, call.splits)
               + kInt32 * call.batch * call.heads.query_heads * call.heads.dim_v;
    }

    Bytes operator()(const FaMetadataCall& call) const { return bytes_of(call); }

    Bytes operator()(const TrtllmMetadataCall& call) const {
        const auto places = window_locations(call);
        const bool has_queries = call.cu_seqlens_q != nullptr && call.lanes.batch > 0;
        return bytes_of(call.lanes) + (has_queries ? (call.lanes.batch + 1) * kInt32 : 0)
               + kInt64 * places
               + std::min(places, call.count) * (kInt64 + element_bytes(call.full_to_swa));
    }

    Bytes operator()(const LocalLensCall& call) const {
        return call.batch * (index_bytes(call.lens.type) + kInt32);
    }

    Bytes operator()(const DcpGatherCall& call) const {
        return over_lanes(call.batch, [&](std::int64_t lane) {
            const auto start = start_of(call.starts, lane);
            const auto first = start < 0 ? 0 : first_position(start, call.dcp, call.rank);
            const auto tokens = start < 0 ? 0 : at_least_zero(local_tokens(call, lane, first));
            return stream_lane_bytes(call.local_lens, call.starts)
                   + (kInt32 + index_bytes(call.out.type)) * tokens;
        });
    }

    /// Ids are read and written in place; the tokens of a page share one element of v2p.
    Bytes operator()(const StreamTranslateCall& call) const {
        if (call.batch <= 0) {
            return 0;
        }
        const auto pages = over_lanes(call.batch, [&](std::int64_t lane) {
            return pages_of(call.indptr[lane + 1] - call.indptr[lane], call.page_size);
        });
        return kInt32 + 2 * index_bytes(call.ids.type) * at_least_zero(stream_tokens(call))
               + element_bytes(call.v2p) * pages;
    }

    Bytes operator()(const StateSlotsCall& call) const {
        return call.batch * (kInt64 + 2 * kInt32 + element_bytes(call.v2p));
    }

    /// Its slot, and the word with its owner or with its copy.
    Bytes operator()(const StateWordsCall& call) const {
        return call.batch * (kInt32 + 2 * kInt64);
    }

    Bytes operator()(const TableAndStreamCall& call) const { return bytes_of(call); }

    Bytes operator()(const FusedMetadataCall& call) const { return fused_least_bytes(call); }

    /// An envelope is read and written; v2p gets its new page, p2v is read once and written twice.
    Bytes operator()(const CompactMoveCall& call) const {
        return call.count * (5 * kInt64 + 2 * call.page_bytes + element_bytes(call.v2p));
    }

    Bytes operator()(const EnvelopeCopyCall& call) const {
        return call.count * (kInt64 + 2 * call.page_bytes);
    }
};

} // namespace

std::optional<std::int64_t> least_bytes(const KernelCall& call) {
    return std::visit(LeastBytes{}, call);
}

} // namespace kvprof::kernels
