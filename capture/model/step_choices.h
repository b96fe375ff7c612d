#pragma once

#include "capture/model/enum_names.h"

#include <cstdint>

/// The options of a step that are a choice of words, and the words.
namespace kvprof {

enum class PoolKind : std::uint8_t { statik, unified };
/// rectangle: one page table for all readers, which pack or copy it into their own form. stream and
/// table: the reader's own form is filled directly. both: one kernel writes the table and the first
/// reader's stream.
enum class IndexMode : std::uint8_t { automatic, rectangle, stream, table, both };
/// A point in the history of the engine that is modelled. It decides every option that is
/// `automatic`; an option that is given stays as it is given.
enum class HistoryStage : std::uint8_t { before, after_37511, after_37512, after_fused_write };
enum class Grid : std::uint8_t { automatic, ctx, bs };
enum class LaunchForm : std::uint8_t { automatic, eager, fused };
/// plain: the launches that the backend made at its stage. eager: as separate tensor operations.
enum class MetadataForm : std::uint8_t { automatic, plain, eager, fused };
/// blocks: an id counts row blocks (physical * mult * page size + offset). physical: an id counts
/// tokens, and a layer's view strides over whole envelopes.
enum class IdSpace : std::uint8_t { blocks, physical };
/// none: each reader translates on its own. plan: ids are translated once, later readers copy.
enum class Share : std::uint8_t { none, plan };
/// What a page table holds past a lane's live pages: what it held before, or zeroes.
enum class TableTail : std::uint8_t { keep, zero };
/// off: a plain or draft decode. Else a speculative verification of `delta` draft tokens a lane
/// (uniform), or of 1 to `delta` of them (ragged, by the seed).
enum class VerifyMode : std::uint8_t { off, uniform, ragged };
/// one_long: the last lane has a length of its own (long_len).
enum class LengthLaw : std::uint8_t { constant, uniform, ragged, long_tail, one_long };
enum class Fragmentation : std::uint8_t { identity, random, compacted };
enum class StreamBound : std::uint8_t { context, pool };
enum class IndexWidth : std::uint8_t { i32, i64 };
/// How the grid of the page table and the token stream divides the tokens (kernels::Split);
/// automatic is what each kernel ships with.
enum class IndexSplit : std::uint8_t { automatic, rows, flat, balanced };
/// When a launch of the page table or the token stream may start: after the kernel before has ended
/// (full), or while it drains (programmatic dependent launch).
enum class LaunchEdges : std::uint8_t { automatic, full, programmatic };

template<>
struct EnumNames<PoolKind> {
    static constexpr std::array values{
        std::pair{PoolKind::statik, "static"}, std::pair{PoolKind::unified, "unified"}};
};

template<>
struct EnumNames<IndexMode> {
    static constexpr std::array values{
        std::pair{IndexMode::automatic, "auto"},
        std::pair{IndexMode::rectangle, "rectangle"},
        std::pair{IndexMode::stream, "stream"},
        std::pair{IndexMode::table, "table"},
        std::pair{IndexMode::both, "both"}};
};

template<>
struct EnumNames<HistoryStage> {
    static constexpr std::array values{
        std::pair{HistoryStage::before, "before"},
        std::pair{HistoryStage::after_37511, "after-37511"},
        std::pair{HistoryStage::after_37512, "after-37512"},
        std::pair{HistoryStage::after_fused_write, "after-fused-write"}};
};

template<>
struct EnumNames<Grid> {
    static constexpr std::array values{
        std::pair{Grid::automatic, "auto"}, std::pair{Grid::ctx, "ctx"}, std::pair{Grid::bs, "bs"}};
};

template<>
struct EnumNames<LaunchForm> {
    static constexpr std::array values{
        std::pair{LaunchForm::automatic, "auto"},
        std::pair{LaunchForm::eager, "eager"},
        std::pair{LaunchForm::fused, "fused"}};
};

template<>
struct EnumNames<MetadataForm> {
    static constexpr std::array values{
        std::pair{MetadataForm::automatic, "auto"},
        std::pair{MetadataForm::plain, "plain"},
        std::pair{MetadataForm::eager, "eager"},
        std::pair{MetadataForm::fused, "fused"}};
};

template<>
struct EnumNames<IdSpace> {
    static constexpr std::array values{
        std::pair{IdSpace::blocks, "blocks"}, std::pair{IdSpace::physical, "physical"}};
};

template<>
struct EnumNames<Share> {
    static constexpr std::array values{
        std::pair{Share::none, "none"}, std::pair{Share::plan, "plan"}};
};

template<>
struct EnumNames<TableTail> {
    static constexpr std::array values{
        std::pair{TableTail::keep, "keep"}, std::pair{TableTail::zero, "zero"}};
};

template<>
struct EnumNames<VerifyMode> {
    static constexpr std::array values{
        std::pair{VerifyMode::off, "off"},
        std::pair{VerifyMode::uniform, "uniform"},
        std::pair{VerifyMode::ragged, "ragged"}};
};

template<>
struct EnumNames<LengthLaw> {
    static constexpr std::array values{
        std::pair{LengthLaw::constant, "constant"},
        std::pair{LengthLaw::uniform, "uniform"},
        std::pair{LengthLaw::ragged, "ragged"},
        std::pair{LengthLaw::long_tail, "long-tail"},
        std::pair{LengthLaw::one_long, "one-long"}};
};

template<>
struct EnumNames<Fragmentation> {
    static constexpr std::array values{
        std::pair{Fragmentation::identity, "identity"},
        std::pair{Fragmentation::random, "random"},
        std::pair{Fragmentation::compacted, "compacted"}};
};

template<>
struct EnumNames<StreamBound> {
    static constexpr std::array values{
        std::pair{StreamBound::context, "context"}, std::pair{StreamBound::pool, "pool"}};
};

template<>
struct EnumNames<IndexWidth> {
    static constexpr std::array values{
        std::pair{IndexWidth::i32, "int32"}, std::pair{IndexWidth::i64, "int64"}};
};

template<>
struct EnumNames<IndexSplit> {
    static constexpr std::array values{
        std::pair{IndexSplit::automatic, "auto"},
        std::pair{IndexSplit::rows, "rows"},
        std::pair{IndexSplit::flat, "flat"},
        std::pair{IndexSplit::balanced, "balanced"}};
};

template<>
struct EnumNames<LaunchEdges> {
    static constexpr std::array values{
        std::pair{LaunchEdges::automatic, "auto"},
        std::pair{LaunchEdges::full, "full"},
        std::pair{LaunchEdges::programmatic, "programmatic"}};
};

} // namespace kvprof
