"""The guards that mutation_check.py deletes: (name, file, text that stands once, replacement).

HOST_MUTATIONS are noticed by the kernel host tests. GPU_MUTATIONS stand in device code that only the
gpu tests run.
"""
import typing


class Mutation(typing.NamedTuple):
    name: str
    file: str
    old: str
    new: str


ID_MATH = "kernels/id_math.h"
NARROW = "kernels/narrow_ids.h"
RULES = "kernels/read_rules.h"
READ = "kernels/host/read_index.cpp"
WRITE = "kernels/host/write_loc.cpp"
ALLOCATOR = "kernels/host/allocator.cpp"
METADATA = "kernels/host/metadata.cpp"
BACKENDS = "kernels/backend_rules.h"
MOVES = "kernels/host/compaction.cpp"

HOST_MUTATIONS = [
    Mutation("hole: sign test", ID_MATH, "token < 0 ? 0 : token / page_size", "token / page_size"),
    Mutation("tombstone entry: clamp", ID_MATH, "return entry < 0 ? 0 : entry;", "return entry;"),
    Mutation("pages of a negative length", ID_MATH, "length <= 0 ? 0 : (length", "(length"),
    Mutation("tombstone write: clamp", ID_MATH, "physical_page < 0 || id < 0 ? 0 : id", "id"),
    Mutation("owner: sign test", ID_MATH, "widened >= 0 && widened % dcp", "widened % dcp"),
    Mutation("owner: rank test", ID_MATH, "widened % dcp == rank", "dcp != rank"),
    Mutation(
        "token id: offset",
        ID_MATH,
        "return entry * page_size + position % page_size;",
        "return entry * page_size;",
    ),
    Mutation("page start", ID_MATH, "position / page_size * page_size", "position"),
    Mutation("fresh page test", ID_MATH, "pages_of(length - 1, page_size);", "length;"),
    Mutation("narrow hole: sign test", NARROW, "token < 0 ? 0U : ", ""),
    Mutation("narrow tombstone: clamp", NARROW, "physical_page < 0 ? Word{0} : ", ""),
    Mutation("narrow token id: offset", NARROW, " + position % page_size", ""),
    Mutation(
        "v2p: row bound", RULES, "virtual_page >= 0 && virtual_page < rows", "virtual_page >= 0"
    ),
    Mutation(
        "v2p: sign test", RULES, "virtual_page >= 0 && virtual_page < rows", "virtual_page < rows"
    ),
    Mutation("table: live length", RULES, "smaller(pages_of(length, page_size), cap)", "cap"),
    Mutation("table: width cap", RULES, "smaller(call.width, readable)", "readable"),
    Mutation("table: columns cap", RULES, "smaller(call.width, readable)", "call.width"),
    Mutation("table: context cap", RULES, "smaller(columns, call.context_columns)", "columns"),
    Mutation("stream: live length", RULES, "smaller(length, room)", "room"),
    Mutation("stream: capacity", RULES, "smaller(length, room)", "length"),
    Mutation(
        "stream: columns cap",
        RULES,
        "smaller(smaller(length, room), readable - start)",
        "smaller(length, room)",
    ),
    Mutation("stream: negative start", RULES, "start < 0 ? 0 : smaller", "smaller"),
    Mutation("stream: context cap", RULES, "smaller(length, call.context_columns)", "length"),
    Mutation("repack: row end", RULES, "return call.stride * call.page_size;", "return 1L << 40;"),
    Mutation(
        "static table: width cap",
        RULES,
        "smaller(call.width, pages_of(call.req_columns, call.page_size))",
        "pages_of(call.req_columns, call.page_size)",
    ),
    Mutation("splits: at least one", RULES, "wanted < 1 ? 1 : ", ""),
    Mutation(
        "splits: at most",
        RULES,
        "smaller(pages_of(length, call.tokens_per_split), call.max_splits)",
        "pages_of(length, call.tokens_per_split)",
    ),
    Mutation(
        "table: own row",
        READ,
        "call.out[b * call.stride + c] = static_cast<std::int32_t>(entry)",
        "call.out[c] = static_cast<std::int32_t>(entry)",
    ),
    Mutation("write: tail", WRITE, "i < call.out_count", "i < call.count"),
    Mutation("free: p2v tombstone", ALLOCATOR, "            call.p2v[ppage] = -1;\n", ""),
    Mutation("free: sign test", ALLOCATOR, "if (ppage >= 0) {", "if (true) {"),
    Mutation(
        "free: v2p tombstone",
        ALLOCATOR,
        "store_index({call.v2p.data, call.v2p.type}, vpage, -1);",
        "",
    ),
    Mutation("zero: tombstone", ALLOCATOR, "if (call.ppages[i] >= 0) {", "if (true) {"),
    Mutation("bind: row bound", ALLOCATOR, "!has_row(vpage, v2p.rows) || ", ""),
    Mutation("bind: tombstone", ALLOCATOR, " || ppage < 0", ""),
    Mutation("bind: inverse", ALLOCATOR, "    p2v[ppage] = vpage;\n", ""),
    Mutation("alloc decode: place in the free list", ALLOCATOR, "++opened;", ""),
    Mutation("indptr: first entry", METADATA, "call.out[0] = 0;", ""),
    Mutation("append: sign test", METADATA, "position >= 0 && ", ""),
    Mutation("append: row end", METADATA, " && position < call.req_columns", ""),
    Mutation("rank: remainder", BACKENDS, "(rank < tokens % dcp ? 1 : 0)", "0"),
    Mutation("local id: sign test", BACKENDS, "widened < 0 ? -1 : widened / dcp", "widened / dcp"),
    Mutation(
        "translate: sign test",
        BACKENDS,
        "    if (id < 0) {\n        return 0;\n    }\n",
        "",
    ),
    Mutation("window location: negative", BACKENDS, "        return -1;\n", "        return 0;\n"),
    Mutation("move: taken target", MOVES, "call.p2v[to] != -1 || ", ""),
]

GPU_ALLOCATOR = "kernels/cuda/allocator.cu"
GPU_METADATA = "kernels/cuda/metadata.cu"
GPU_SCAN = "kernels/cuda/block_scan.cuh"
GPU_WRITE = "kernels/cuda/write_loc.cu"
GPU_WALK = "kernels/cuda/lane_walk.cuh"
GPU_TABLE = "kernels/cuda/page_table.cu"
GPU_STREAM = "kernels/cuda/token_stream.cu"
GPU_GATHER = "kernels/cuda/lane_gather.cu"

GPU_MUTATIONS = [
    Mutation("bind: row bound", GPU_ALLOCATOR, "!has_row(vpage, v2p.rows) || ", ""),
    Mutation("bind: tombstone", GPU_ALLOCATOR, "v2p.rows) || ppage < 0", "v2p.rows)"),
    Mutation("bind: inverse", GPU_ALLOCATOR, "    p2v[ppage] = vpage;\n", ""),
    Mutation("free: sign test", GPU_ALLOCATOR, "if (ppage >= 0) {", "if (true) {"),
    Mutation("free: end of the list", GPU_ALLOCATOR, "if (i >= call.count) {", "if (false) {"),
    Mutation(
        "alloc decode: earlier lanes alone",
        GPU_ALLOCATOR,
        "earlier < lane && opens_page(",
        "opens_page(",
    ),
    Mutation("zero: tombstone", GPU_ALLOCATOR, "if (ppage < 0) {", "if (false) {"),
    Mutation("zero: end of the page", GPU_ALLOCATOR, "if (word < page_words) {", "if (true) {"),
    Mutation("scan: first entry", GPU_SCAN, "out[0] = 0;", ""),
    Mutation("scan: first warp", GPU_SCAN, "(warp == 0 ? 0 : before)", "before"),
    Mutation("append: sign test", GPU_METADATA, "position >= 0 && ", ""),
    Mutation("append: row end", GPU_METADATA, " && position < call.req_columns", ""),
    Mutation("write: end of the output", GPU_WRITE, "if (i < call.out_count) {", "if (true) {"),
    Mutation(
        "write: tail", GPU_WRITE, "i < smaller(call.count, call.out_count)", "i < call.out_count"
    ),
    Mutation("walk: end of the lane", GPU_WALK, "if (item < end) {", "if (true) {"),
    Mutation("walk: no gap", GPU_WALK, "base += parts * kPass", "base += 2 * parts * kPass"),
    Mutation(
        "table by context: live length",
        GPU_TABLE,
        "if (column >= live) {",
        "if (column >= cap) {",
    ),
    Mutation("table: narrow ids", GPU_TABLE, "if (!fits_narrow_ids(call.lanes)) {", "if (false) {"),
    Mutation(
        "stream by context: live length",
        GPU_STREAM,
        "column >= smaller(window.live, call.context_columns)",
        "column >= call.context_columns",
    ),
    Mutation(
        "static table: live length",
        GPU_GATHER,
        "smaller(live, first + block_columns)",
        "first + block_columns",
    ),
]
