#include "capture/model/error.h"
#include "capture/workload/scheduler.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace kvprof::workload {

std::int64_t* PageList::take(std::int64_t count) {
    std::int64_t* const first = current_ + head_;
    head_ += count;
    count_ -= count;
    return first;
}

void PageList::append(const std::int64_t* pages, std::int64_t count, Emitter& out) {
    out.add(kernels::ConcatCall{current_ + head_, count_, pages, count, next_});
    std::swap(current_, next_);
    head_ = 0;
    count_ += count;
}

namespace {

PageList list_of(const Views& views, BufferId current, BufferId next, std::int64_t count) {
    return {views.at<std::int64_t>(current), views.at<std::int64_t>(next), count};
}

/// First page past a pool of `pages`, in the direction of growth.
std::int64_t limit_of(bool grows_up, std::int64_t pages, std::int64_t min_page) {
    return grows_up ? pages : min_page - 1;
}

} // namespace

Scheduler::Pool Scheduler::full_pool(const Views& views, const InitialState& state) {
    const TokenPool& pool = views.plan.full;
    return {
        .kind = StateKind::full,
        .free = list_of(views, BufferId::full_free, BufferId::full_free_next, state.free_pages),
        .holes = list_of(views, BufferId::full_holes, BufferId::full_holes_next, 0),
        .next_page = state.next_page,
        .grows_up = pool.grows_up,
        .limit = limit_of(pool.grows_up, pool.num_pages, pool.min_page)};
}

Scheduler::Pool Scheduler::window_pool(const Views& views, const InitialState& state) {
    const TokenPool pool = views.plan.swa.value_or(TokenPool{});
    return {
        .kind = StateKind::swa,
        .free = list_of(views, BufferId::swa_free, BufferId::swa_free_next, state.swa_free),
        .holes = list_of(views, BufferId::swa_holes, BufferId::swa_holes_next, 0),
        .next_page = state.swa_next,
        .grows_up = pool.grows_up,
        .limit = limit_of(pool.grows_up, pool.num_pages, pool.min_page)};
}

Scheduler::Pool Scheduler::state_pool(const Views& views, const InitialState& state) {
    const StatePool pool = views.plan.state.value_or(StatePool{});
    return {
        .kind = StateKind::state,
        .free = list_of(views, BufferId::state_free, BufferId::state_free_next, state.state_free),
        .holes = list_of(views, BufferId::state_holes, BufferId::state_holes_next, 0),
        .next_page = state.state_next,
        .grows_up = pool.grows_up,
        .limit = limit_of(pool.grows_up, pool.num_slots, pool.min_slot)};
}

namespace {

/// Where the homes of fresh pages are listed when no holes are at hand.
BufferId homes_of(StateKind kind) {
    switch (kind) {
    case StateKind::full: return BufferId::ppages;
    case StateKind::swa: return BufferId::swa_ppages;
    case StateKind::state: return BufferId::state_ppage;
    }
    return BufferId::ppages;
}

} // namespace

void Scheduler::free_pages(Pool& pool, const PageSpan& pages, Commands& out) {
    Emitter free = scheduler_op(out, OpKind::lazy_free);
    if (views_.plan.is_unified()) {
        emit_free_unbind(views_, tables_of(views_, pool.kind), pages, free);
    }
    pool.free.append(pages.vpages, pages.count, free);
    if (views_.plan.is_unified()) {
        pool.holes.append(pages.ppages, pages.count, free);
    }
}

std::int64_t* Scheduler::take_free(Pool& pool, std::int64_t count) const {
    if (pool.free.count() < count) {
        throw UnavailableError(
            fmt::format(
                "could not allocate {} {} pages: {} are free",
                count,
                to_string(pool.kind),
                pool.free.count()
            ),
            "raise --pool-tokens"
        );
    }
    return pool.free.take(count);
}

std::int64_t* Scheduler::take_pages(Pool& pool, std::int64_t count, Commands& out) {
    std::int64_t* const vpages = take_free(pool, count);
    if (views_.plan.is_unified()) {
        bind_pages(pool, vpages, count, out);
    }
    return vpages;
}

/// Holes first, then a run past the watermark.
void Scheduler::bind_pages(Pool& pool, std::int64_t* vpages, std::int64_t count, Commands& out) {
    const std::int64_t from_holes = std::min(pool.holes.count(), count);
    std::int64_t* ppages = views_.at<std::int64_t>(homes_of(pool.kind));
    if (from_holes > 0) {
        // A run is needed only when the holes are used up: its pages go behind them, so that the
        // whole allocation is one list.
        ppages = pool.holes.take(from_holes);
        Emitter bind = scheduler_op(out, OpKind::bind);
        emit_bind(views_, tables_of(views_, pool.kind), {vpages, ppages, from_holes}, bind);
    }
    if (const std::int64_t rest = count - from_holes; rest > 0) {
        extend(pool, {vpages + from_holes, ppages + from_holes, rest}, out);
    }
    // MLA kernels do arithmetic on rows past a lane's end, so fresh envelopes must be finite.
    if (pool.kind == StateKind::full && views_.plan.full.is_mla) {
        scheduler_op(out, OpKind::zero_pages)
            .add(kernels::ZeroPagesCall{
                ppages, count, views_.at<std::uint8_t>(BufferId::kv), views_.plan.full.page_bytes});
    }
}

void Scheduler::extend(Pool& pool, const PageSpan& pages, Commands& out) {
    const std::int64_t room =
        pool.grows_up ? pool.limit - pool.next_page : pool.next_page - pool.limit;
    if (room < pages.count) {
        throw UnavailableError(
            fmt::format(
                "could not extend the {} pool by {} pages: {} are left",
                to_string(pool.kind),
                pages.count,
                room
            ),
            "raise --pool-tokens"
        );
    }
    const std::int64_t start = pool.grows_up ? pool.next_page : pool.next_page - pages.count + 1;
    pool.next_page += pool.grows_up ? pages.count : -pages.count;
    Emitter bind = scheduler_op(out, OpKind::alloc_bind);
    emit_alloc_bind(views_, tables_of(views_, pool.kind), pages, start, bind);
}

} // namespace kvprof::workload
