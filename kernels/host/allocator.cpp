#include "kernels/host/allocator.h"

#include "kernels/id_math.h"
#include "kernels/index_access.h"
#include "kernels/read_rules.h"

#include <algorithm>

namespace kvprof::kernels::host {
namespace {

/// A tombstone has no row in p2v, and a hole none in v2p: -1 would be written before the tables.
void bind_page(const V2p& v2p, std::int64_t* p2v, std::int64_t vpage, std::int64_t ppage) {
    if (!has_row(vpage, v2p.rows) || ppage < 0) {
        return;
    }
    store_index({v2p.data, v2p.type}, vpage, ppage);
    p2v[ppage] = vpage;
}

} // namespace

void run(const AllocBindCall& call) {
    for (std::int64_t i = 0; i < call.count; ++i) {
        const auto ppage = call.start + i;
        bind_page(call.v2p, call.p2v, call.vpages[i], ppage);
        call.out[i] = ppage;
    }
}

void run(const BindCall& call) {
    for (std::int64_t i = 0; i < call.count; ++i) {
        bind_page(call.v2p, call.p2v, call.vpages[i], call.ppages[i]);
    }
}

void run(const FreeUnbindCall& call) {
    for (std::int64_t i = 0; i < call.count; ++i) {
        const auto vpage = call.vpages[i];
        const auto ppage = physical_page(call.v2p, vpage);
        call.out[i] = ppage;
        if (ppage >= 0) { // an unbound page has no p2v entry: -1 would be written before the table
            store_index({call.v2p.data, call.v2p.type}, vpage, -1);
            call.p2v[ppage] = -1;
        }
    }
}

void run(const AllocDecodeCall& call) {
    std::int64_t opened = 0;
    for (std::int64_t b = 0; b < call.batch; ++b) {
        if (opens_page(call.lens[b], call.page_size)) {
            call.out[b] = call.free_pages[opened] * call.page_size;
            ++opened;
        } else {
            call.out[b] = call.last_loc[b] + 1;
        }
    }
}

void run(const ZeroPagesCall& call) {
    for (std::int64_t i = 0; i < call.count; ++i) {
        if (call.ppages[i] >= 0) {
            std::fill_n(call.buffer + call.ppages[i] * call.page_bytes, call.page_bytes, 0);
        }
    }
}

} // namespace kvprof::kernels::host
