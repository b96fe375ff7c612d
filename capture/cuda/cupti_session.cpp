#include "capture/cuda/cupti_session.h"

#include <atomic>
#include <memory>

namespace kvprof::cuda {

namespace {

/// Buffer callbacks have no argument of their own: they find the session's pool here.
std::atomic<BufferPool*>& lender() {
    static std::atomic<BufferPool*> pool = nullptr;
    return pool;
}

} // namespace

std::optional<TraceLevel> level_of(Pass pass) {
    switch (pass) {
    case Pass::counts: return TraceLevel{.hears_all = true, .kinds = {}};
    case Pass::graph: return TraceLevel{.kinds = {CUPTI_ACTIVITY_KIND_GRAPH_TRACE}};
    case Pass::nodes:
        return TraceLevel{
            .kinds = {
                CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                CUPTI_ACTIVITY_KIND_MEMCPY,
                CUPTI_ACTIVITY_KIND_MEMSET,
                CUPTI_ACTIVITY_KIND_OVERHEAD}};
    case Pass::timing:
    case Pass::memory: break;
    }
    return std::nullopt;
}

CuptiSession::Live::Live(const CuptiApi& functions, bool hears_all)
    : api(functions),
      pool([this](std::uint8_t* data, std::size_t valid) {
          decoder.decode_buffer(api, data, valid);
      }),
      listener(functions, hears_all) {}

/// Reachable for ever, so that a leak check does not take it for lost.
CuptiSession::Live* CuptiSession::keep(Live* live) {
    static auto* kept = new std::vector<std::unique_ptr<Live>>;
    return kept->emplace_back(live).get();
}

CuptiSession::CuptiSession(const CuptiApi& api, const TraceLevel& level)
    : live_(keep(new Live(api, level.hears_all))) {
    try {
        subscription_.emplace(api, &CuptiListener::on_callback, &live_->listener);
        open(level);
    } catch (...) {
        close();
        throw;
    }
}

CuptiSession::~CuptiSession() {
    close();
}

void CuptiSession::open(const TraceLevel& level) {
    const CuptiApi& api = live_->api;
    // Buffers come zeroed from the pool; else CUPTI would clear them on the launching thread. The
    // device's own buffers keep their default size, which holds a million records of a pass.
    std::uint8_t is_zeroed = 1;
    std::size_t size = sizeof is_zeroed;
    api.check(
        api.set_attribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &is_zeroed),
        "set CUPTI up"
    );
    lender() = &live_->pool;
    api.check(api.register_callbacks(&on_request, &on_complete), "give CUPTI buffers");
    live_->listener.enable(subscription_->get());
    has_records_ = !level.kinds.empty();
    for (const CUpti_ActivityKind kind : level.kinds) {
        api.check(api.enable_activity(kind), "turn tracing on");
        enabled_.push_back(kind);
    }
}

void CuptiSession::on_request(
    std::uint8_t** buffer, std::size_t* size, std::size_t* max_records
) noexcept {
    // Without a buffer CUPTI counts what it drops (before 12.9 it crashed; 13 is the oldest here).
    *buffer = lender().load()->lend();
    *size = *buffer == nullptr ? 0 : BufferPool::kBufferBytes;
    *max_records = 0; // as many as fit
}

void CuptiSession::on_complete(
    CUcontext /*context*/,
    std::uint32_t /*stream*/,
    std::uint8_t* buffer,
    std::size_t /*size*/,
    std::size_t valid
) noexcept {
    if (buffer != nullptr) {
        BufferPool::take_back(buffer, valid);
    }
}

void CuptiSession::check_alive() {
    if (live_->listener.observer().is_dead()) {
        throw live_->api.error(number(CuptiCode::shut_down), "record with CUPTI");
    }
}

void CuptiSession::flush() {
    const CuptiApi& api = live_->api;
    check_alive();
    if (!has_records_) {
        return;
    }
    api.check(api.flush_all(0), "collect CUPTI's records");
    if (live_->pool.out() > 0) {
        // A buffer with an unfinished record stays behind; the device is idle, so none will finish.
        api.check(api.flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "collect CUPTI's records");
    }
    std::size_t dropped = 0; // since the last call
    api.check(api.get_num_dropped(nullptr, 0, &dropped), "count dropped records");
    dropped_ += static_cast<std::int64_t>(dropped);
    check_alive();
}

void CuptiSession::restart() {
    flush();
    live_->pool.while_idle([this] { static_cast<void>(live_->decoder.take()); });
    live_->listener.observer().launches().restart();
    dropped_ = 0;
    refused_before_ = refused();
}

Decoded CuptiSession::finish() {
    check_alive();
    disable();
    flush();
    Decoded decoded;
    live_->pool.while_idle([&] { decoded = live_->decoder.take(); });
    return decoded;
}

void CuptiSession::disable() noexcept {
    for (; !enabled_.empty(); enabled_.pop_back()) {
        live_->api.disable_activity(enabled_.back());
    }
}

void CuptiSession::close() noexcept {
    if (subscription_ && live_->listener.observer().is_dead()) {
        subscription_->abandon();
    } else if (subscription_) {
        disable();
        if (live_->pool.out() > 0) {
            // The result is of no use: what comes is not looked at.
            live_->api.flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
        }
    }
    subscription_.reset();
    live_->pool.close();
}

} // namespace kvprof::cuda
