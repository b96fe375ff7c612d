#pragma once

#include "capture/buffer_pool.h"
#include "capture/cuda/cupti_api.h"
#include "capture/cuda/cupti_decoder.h"
#include "capture/cuda/cupti_listener.h"
#include "capture/cuda/cupti_subscription.h"
#include "capture/model/pass.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace kvprof::cuda {

/// What CUPTI is asked for in a pass.
struct TraceLevel {
    bool hears_all = false; ///< waits, events and allocations as well
    /// Node records and graph spans exclude each other; CUPTI_ACTIVITY_KIND_KERNEL, which makes
    /// kernels run one after the other, is in neither.
    std::vector<CUpti_ActivityKind> kinds;
};

/// Empty for passes that run without CUPTI.
[[nodiscard]] std::optional<TraceLevel> level_of(Pass pass);

/// CUPTI in use, from before CUDA starts to the end of the process's recording. Members are for the
/// one thread that owns it; what they do with CUPTI is undone if opening fails half-way.
class CuptiSession {
  public:
    /// @throws UnavailableError when CUPTI refuses, with its reason and a remedy.
    CuptiSession(const CuptiApi& api, const TraceLevel& level);
    CuptiSession(const CuptiSession&) = delete;
    CuptiSession& operator=(const CuptiSession&) = delete;
    ~CuptiSession();

    /// Drops everything recorded so far. The device must be idle.
    /// @throws UnavailableError
    void restart();
    /// Ends the recording; what came since the last restart. The device must be idle.
    /// @throws UnavailableError
    [[nodiscard]] Decoded finish();

    [[nodiscard]] CuptiListener& listener() { return live_->listener; }

    /// Records that CUPTI lost since the last restart.
    [[nodiscard]] std::int64_t dropped() const { return dropped_; }

    /// Times that CUPTI asked for a buffer since the last restart and got none.
    [[nodiscard]] std::int64_t refused_buffers() const { return refused() - refused_before_; }

    /// Whether records were lost on this side: out of memory while they were read.
    [[nodiscard]] bool has_read_failure() const { return live_->pool.has_failed(); }

  private:
    /// What CUPTI may use even after the session: it is never destroyed.
    struct Live {
        Live(const CuptiApi& functions, bool hears_all);

        CuptiApi api;
        RecordDecoder decoder;
        BufferPool pool;
        CuptiListener listener;
    };

    static void CUPTIAPI
    on_request(std::uint8_t** buffer, std::size_t* size, std::size_t* max_records) noexcept;
    static void CUPTIAPI on_complete(
        CUcontext context,
        std::uint32_t stream,
        std::uint8_t* buffer,
        std::size_t size,
        std::size_t valid
    ) noexcept;
    [[nodiscard]] static Live* keep(Live* live);

    void open(const TraceLevel& level);
    void close() noexcept;
    void disable() noexcept;
    void flush();

    [[nodiscard]] std::int64_t refused() const {
        return static_cast<std::int64_t>(live_->pool.refused());
    }

    /// @throws UnavailableError once CUPTI has shut itself down.
    void check_alive();

    Live* live_;
    std::optional<CuptiSubscription> subscription_;
    std::vector<CUpti_ActivityKind> enabled_;
    bool has_records_ = false; ///< a kind of them was turned on
    std::int64_t dropped_ = 0;
    std::int64_t refused_before_ = 0; ///< the last restart
};

} // namespace kvprof::cuda
