#pragma once

#include "capture/activity/scope.h"
#include "capture/model/trace.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace kvprof::activity {

enum class ApiDomain : std::uint8_t { runtime, driver };

/// A function of the CUDA API by CUPTI's number.
struct ApiId {
    ApiDomain domain{};
    std::uint32_t number = 0;

    friend auto operator<=>(const ApiId&, const ApiId&) = default;
};

/// An outermost call that put work on the device (it succeeded and was not captured), for joining
/// records to it.
struct Launch {
    std::uint32_t correlation = 0;
    ApiKind kind{};
    Tag tag;
    std::int64_t step = -1;

    friend bool operator==(const Launch&, const Launch&) = default;
};

/// Calls of one function for one tag, inside steps or outside of them.
struct CallCount {
    ApiId api;
    ApiKind kind{};
    Tag tag;                  ///< ordinal is -1: calls of an op are counted together
    bool is_captured = false; ///< made graph nodes instead of work
    std::int64_t calls = 0;   ///< succeeded
    std::int64_t failed = 0;
    std::int64_t first_step = -1; ///< that called; -1: calls outside steps, counted apart

    friend bool operator==(const CallCount&, const CallCount&) = default;
};

/// Counts outermost API calls. A runtime function calls the driver, and both are heard; a call
/// counts where its thread had none open. A launch that created a graph node while it was open was
/// captured. Members are safe to call from several threads; snapshots are taken while no call is
/// open.
class LaunchCounter {
  public:
    void enter(const ApiId& api, ApiKind kind, std::uint32_t correlation) noexcept;
    /// Throws when memory is out: the call is then not counted, and the next ones are.
    void exit(const ApiId& api, bool has_failed);
    /// The call that is open on this thread makes a node of a graph.
    void note_captured() noexcept;
    /// Whether the call that is open on this thread copies graphs (instantiate, clone, update).
    [[nodiscard]] static bool is_copying() noexcept;

    /// Forgets every count and launch so far, except calls captured before.
    void restart();
    [[nodiscard]] std::vector<CallCount> counts() const;
    [[nodiscard]] std::vector<Launch> launches() const;

  private:
    mutable std::mutex mutex_;
    std::vector<CallCount> counts_;
    std::unordered_map<std::uint64_t, std::size_t> count_of_; ///< packed key -> index in counts_
    std::vector<Launch> launches_;
};

} // namespace kvprof::activity
