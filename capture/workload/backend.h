#pragma once

#include "capture/model/step_spec.h"
#include "kernels/index_types.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::workload {

/// What a backend's attention kernels read: ids packed lane after lane, or a table of pages.
enum class ReadForm : std::uint8_t { stream, table };
/// Which KV rows they can read.
enum class ReadableRows : std::uint8_t { any, mla, mha };
/// Pages of a row of the backend's own table, C tokens of context and ps tokens a page.
/// pages: ceil(C / ps). padded: that, up to a multiple of 4096 / ps. plus_one: (C + ps) / ps.
enum class TableWidth : std::uint8_t { pages, padded, plus_one };
/// An op of the metadata stage, in the backend's order. `index` stands for what fills the reader's
/// stream or table: the translator chooses it by pool, index mode and context parallelism.
enum class MetadataOp : std::uint8_t {
    len_cast,
    indptr,
    kv_splits,
    fa_metadata,
    trtllm_metadata,
    index
};
/// When a capture buffer exists: each condition that is named must hold.
enum class BufferCondition : std::uint8_t {
    swa,         ///< the model has sliding windows
    unified,     ///< the pool is unified
    rectangle,   ///< the pool is unified and the index mode is rectangle or both
    speculation, ///< readers exceed seq-len (delta > 0)
    verify       ///< draft tokens are verified
};

/// What a formula of bytes multiplies, by its symbol.
enum class SizeSymbol : std::uint8_t {
    batch,         ///< B: largest captured batch
    step_tokens,   ///< N: most tokens of a step
    context,       ///< C: tokens
    page_size,     ///< ps: tokens
    own_pages,     ///< P: of a row of the backend's own table
    rectangle,     ///< R: bytes, 4 * B * ceil(C / ps)
    window,        ///< W: tokens
    query_heads,   ///< Hq: of the rank
    splits,        ///< S: most KV splits
    value_dim,     ///< dv: elements of a V head
    element_bytes, ///< elt: of KV
    batch_ids,     ///< T: that a stream must hold, B * C or what the pool bounds them to
    step_ids,      ///< U: N * C, or the same bound
    wrappers       ///< w: 2 with sliding windows, else 1
};

/// Bytes of a buffer: a sum of products of numbers and symbols, "4*B*P + 8*N".
struct ByteFormula {
    struct Term {
        std::int64_t factor = 1;
        std::vector<SizeSymbol> symbols;

        friend bool operator==(const Term&, const Term&) = default;
    };

    std::string text; ///< as it was written
    std::vector<Term> terms;

    friend bool operator==(const ByteFormula&, const ByteFormula&) = default;
};

/// A buffer that the backend allocates for graph capture. One with the name of a buffer that ops
/// use (docs/backends.md) is that buffer; any other is held and not used.
struct CaptureBuffer {
    std::string name;
    ByteFormula bytes;
    std::vector<BufferCondition> when;

    friend bool operator==(const CaptureBuffer&, const CaptureBuffer&) = default;
};

/// An attention backend as data: what it reads, what it launches for its metadata, and what it
/// allocates for graph capture. It knows nothing of virtual ids: the translator does.
struct Backend {
    std::string name;
    std::string provenance;
    std::string family; ///< the backend that it behaves like; empty: none
    ReadForm reads = ReadForm::stream;
    kernels::IndexType index = kernels::IndexType::i32; ///< of its stream; tables are int32
    ReadableRows rows = ReadableRows::any;
    TableWidth table_width = TableWidth::pages;
    std::int64_t table_fill = 0;          ///< what its own table holds before it is first filled
    std::vector<std::int64_t> page_sizes; ///< empty: any
    bool needs_power_of_two = false;      ///< of the page size
    std::int64_t page_size_divides = 0;   ///< a multiple of the page size; 0: no such rule
    std::int64_t max_head_dim = 0;        ///< 0: no limit of its own
    bool translates = true;               ///< false: it takes ids as they are, physical ones only
    bool captures_write_loc = false;      ///< has write locations of its own in the graph
    bool has_splits = false;              ///< split-KV attention with a fixed most number of splits
    /// Static pool: reads window ids as int32 (a cast more).
    bool casts_swa_write_loc = false;
    std::vector<MetadataOp> ops;
    std::vector<MetadataOp> later_ops; ///< of the forms eager and fused; empty: `ops`
    std::vector<MetadataForm> forms;   ///< metadata forms that it has, its own first
    std::vector<CaptureBuffer> buffers;

    /// What it launches in a metadata form that is not automatic.
    [[nodiscard]] const std::vector<MetadataOp>& ops_of(MetadataForm form) const;
    /// Whether that is among them.
    [[nodiscard]] bool launches(MetadataOp op, MetadataForm form) const;

    friend bool operator==(const Backend&, const Backend&) = default;
};

/// All built-in backends, in the order of --help-backends.
[[nodiscard]] std::span<const Backend> built_in_backends();
/// "4*B*P + 8*N". Nothing when the text is no formula.
[[nodiscard]] std::optional<ByteFormula> parse_formula(const std::string& text);
/// A built-in name, or a TOML file (its name holds a slash or ends in .toml).
/// @throws UsageError for an unknown name (with the nearest), and for a file as parse_backend.
[[nodiscard]] Backend load_backend(const std::string& name_or_path);
/// With the key `family` a file holds only what differs from that built-in backend; a buffer of the
/// same name takes the other one's place.
/// @throws UsageError with source, line and column for a missing, unknown or senseless key.
[[nodiscard]] Backend parse_backend(std::string_view text, std::string_view source);

/// Whether a resolved step has all its index work in one launch: a unified pool's ids are written
/// in one launch and go straight into the stream of its reader, and metadata is fused.
[[nodiscard]] bool fuses_metadata(const StepSpec& spec, const Backend& backend);

/// The specification with every `automatic` option decided by its stage, pool and backend. What is
/// decided already stays. Idempotent. @throws UsageError for a backend that can not be loaded.
[[nodiscard]] StepSpec resolved(const StepSpec& spec);
[[nodiscard]] StepSpec resolved(const StepSpec& spec, const Backend& backend);

} // namespace kvprof::workload

namespace kvprof {

template<>
struct EnumNames<workload::ReadForm> {
    static constexpr std::array values{
        std::pair{workload::ReadForm::stream, "stream"},
        std::pair{workload::ReadForm::table, "table"}};
};

template<>
struct EnumNames<workload::ReadableRows> {
    static constexpr std::array values{
        std::pair{workload::ReadableRows::any, "any"},
        std::pair{workload::ReadableRows::mla, "mla"},
        std::pair{workload::ReadableRows::mha, "mha"}};
};

template<>
struct EnumNames<workload::TableWidth> {
    static constexpr std::array values{
        std::pair{workload::TableWidth::pages, "pages"},
        std::pair{workload::TableWidth::padded, "padded"},
        std::pair{workload::TableWidth::plus_one, "plus-one"}};
};

template<>
struct EnumNames<workload::MetadataOp> {
    static constexpr std::array values{
        std::pair{workload::MetadataOp::len_cast, "len-cast"},
        std::pair{workload::MetadataOp::indptr, "indptr"},
        std::pair{workload::MetadataOp::kv_splits, "kv-splits"},
        std::pair{workload::MetadataOp::fa_metadata, "fa-metadata"},
        std::pair{workload::MetadataOp::trtllm_metadata, "trtllm-metadata"},
        std::pair{workload::MetadataOp::index, "index"}};
};

template<>
struct EnumNames<workload::SizeSymbol> {
    static constexpr std::array values{
        std::pair{workload::SizeSymbol::batch, "B"},
        std::pair{workload::SizeSymbol::step_tokens, "N"},
        std::pair{workload::SizeSymbol::context, "C"},
        std::pair{workload::SizeSymbol::page_size, "ps"},
        std::pair{workload::SizeSymbol::own_pages, "P"},
        std::pair{workload::SizeSymbol::rectangle, "R"},
        std::pair{workload::SizeSymbol::window, "W"},
        std::pair{workload::SizeSymbol::query_heads, "Hq"},
        std::pair{workload::SizeSymbol::splits, "S"},
        std::pair{workload::SizeSymbol::value_dim, "dv"},
        std::pair{workload::SizeSymbol::element_bytes, "elt"},
        std::pair{workload::SizeSymbol::batch_ids, "T"},
        std::pair{workload::SizeSymbol::step_ids, "U"},
        std::pair{workload::SizeSymbol::wrappers, "w"}};
};

template<>
struct EnumNames<workload::BufferCondition> {
    static constexpr std::array values{
        std::pair{workload::BufferCondition::swa, "swa"},
        std::pair{workload::BufferCondition::unified, "unified"},
        std::pair{workload::BufferCondition::rectangle, "rectangle"},
        std::pair{workload::BufferCondition::speculation, "speculation"},
        std::pair{workload::BufferCondition::verify, "verify"}};
};

} // namespace kvprof
