#pragma once

#include "capture/cuda/cupti_api.h"

#include <string>

namespace kvprof::cuda {

/// What an attempt to subscribe gave.
struct SubscribeResult {
    int code = CUPTI_SUCCESS; ///< a CUptiResult, or CuptiCode::second_session
    CUpti_SubscriberHandle handle = nullptr;
    std::string rival; ///< who has the place already; empty when CUPTI gives no name
};

/// The place that this process has at CUPTI: there is one, it is taken before CUDA starts, and
/// before version 13.1.1 it is taken once, as CUPTI numbers calls wrongly after that. A failed
/// attempt takes nothing.
[[nodiscard]] SubscribeResult
subscribe(const CuptiApi& api, CUpti_CallbackFunc callback, void* user);

/// Gives the place back; a null handle is that of a CUPTI that has detached itself.
void unsubscribe(const CuptiApi& api, CUpti_SubscriberHandle handle) noexcept;

/// Holds the place.
class CuptiSubscription {
  public:
    /// @throws UnavailableError when the place is taken, by this process or by another tool.
    CuptiSubscription(const CuptiApi& api, CUpti_CallbackFunc callback, void* user);
    CuptiSubscription(const CuptiSubscription&) = delete;
    CuptiSubscription& operator=(const CuptiSubscription&) = delete;
    ~CuptiSubscription();

    [[nodiscard]] CUpti_SubscriberHandle get() const { return handle_; }

    /// CUPTI has detached itself: it may not be called any more.
    void abandon() noexcept { handle_ = nullptr; }

  private:
    CuptiApi api_;
    CUpti_SubscriberHandle handle_ = nullptr;
};

} // namespace kvprof::cuda
