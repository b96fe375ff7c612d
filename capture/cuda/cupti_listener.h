#pragma once

#include "capture/activity/observer.h"
#include "capture/cuda/cupti_api.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace kvprof::cuda {

/// An executable graph whose source still exists.
struct GraphInstance {
    CUgraph source = nullptr;
    std::uint32_t executable = 0; ///< its id
};

/// Hears CUPTI's callbacks and passes them on at once as neutral events. Inside a callback only
/// CUPTI is asked, and only for ids: a call of CUDA there may hang.
class CuptiListener {
  public:
    /// Reads the names of every function that this CUPTI knows. Without `hears_all` it listens to
    /// what puts work on the device or builds graphs, not to waits, events and allocations.
    CuptiListener(const CuptiApi& api, bool hears_all);

    /// For cuptiSubscribe, with a CuptiListener as `user`.
    static void CUPTIAPI on_callback(
        void* user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data
    ) noexcept;

    /// Turns on the callbacks that are heard, one by one: a whole domain would cost every API call.
    /// @throws UnavailableError
    void enable(CUpti_SubscriberHandle subscriber) const;

    [[nodiscard]] activity::Observer& observer() noexcept { return observer_; }

    [[nodiscard]] std::string function_name(const activity::ApiId& api) const;
    [[nodiscard]] std::vector<GraphInstance> instances() const;

    /// Graph events that CUPTI gave no ids for: whatever hangs on them is unknown.
    [[nodiscard]] std::int64_t unidentified() const noexcept { return unidentified_; }

    /// Calls and graph events that could not be kept, for want of memory.
    [[nodiscard]] std::int64_t lost() const noexcept { return lost_; }

  private:
    struct Function {
        const char* name = nullptr; ///< CUPTI's, for the life of the library
        ApiKind kind{};
    };

    void hear(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data);
    void hear_call(activity::ApiDomain domain, CUpti_CallbackId id, const CUpti_CallbackData& call);
    void hear_graph(CUpti_CallbackId id, const CUpti_GraphData& graph);
    [[nodiscard]] bool hear_instance(const CUpti_GraphData& graph);
    void forget_source(CUgraph source);
    [[nodiscard]] bool is_heard(ApiKind kind) const;

    [[nodiscard]] const std::vector<Function>& functions_of(activity::ApiDomain domain) const {
        return functions_[static_cast<std::size_t>(domain)];
    }

    CuptiApi api_;
    bool hears_all_;
    std::array<std::vector<Function>, 2> functions_; ///< by domain, then by callback id
    activity::Observer observer_;
    std::atomic<std::int64_t> unidentified_ = 0;
    std::atomic<std::int64_t> lost_ = 0;
    mutable std::mutex mutex_; ///< of instances_; never held while CUPTI is called
    std::vector<GraphInstance> instances_;
};

} // namespace kvprof::cuda
