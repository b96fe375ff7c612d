#pragma once

#include "capture/import/names.h"
#include "capture/import/options.h"
#include "capture/import/trace_event.h"
#include "capture/model/profile.h"
#include "capture/model/trace.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kvprof::import {

/// One file, read: its ranks with their figures, and what all of them ran and called.
struct FileProfile {
    Profile profile;
    std::vector<KernelStat> kernels; ///< by full name, in order of falling time; copies, fills too
    std::vector<ApiStat> calls;      ///< by name, in order of falling count
    std::vector<KernelEvent> events; ///< of kept steps; `kernel` is a place in `kernels`
    std::int64_t ranges = 0;         ///< that a step could have been made of, by any name
};

/// Collects the records of one file, in any order, and makes figures of them (metrics.md,
/// "Imported profiles"). Memory grows with the work recorded: about 32 bytes a record.
class ProfileBuilder {
  public:
    explicit ProfileBuilder(ReadOptions options);
    ~ProfileBuilder();
    ProfileBuilder(ProfileBuilder&&) noexcept;
    ProfileBuilder& operator=(ProfileBuilder&&) noexcept;
    ProfileBuilder(const ProfileBuilder&) = delete;
    ProfileBuilder& operator=(const ProfileBuilder&) = delete;

    /// Texts of events: names, and the keys of processes, threads, devices and streams.
    [[nodiscard]] Names& names() noexcept;

    void add(const TraceEvent& event);
    /// A range whose name is of no step that is asked for.
    void add_other_range();
    /// Counts an event that is left out, as "quality.rejected" and under its own reason
    /// ("non-finite-time", "rejected-events", "negative-duration", "absurd-duration").
    void reject(std::string_view reason);
    /// Something that the file's figures must be read with. The same word again adds to its count.
    void warn(std::string_view word, std::string text, std::int64_t count = 1);

    /// Facts of the file that readers know.
    void set_rank(std::string rank); ///< of all processes without one of their own
    void set_rank_of(std::uint32_t process, std::string rank); ///< merged files
    void set_gpu(std::string name);
    void set_source(ProfileSource source, std::string writer);
    void set_capability(std::string_view name, Capability state);
    void set_partial();

    /// Makes the figures. Adds what only a whole file shows: no-events, no-gpu-activity,
    /// orphan-kernels, kernels-without-timestamp, same-stream-overlap, graph-level-trace,
    /// graph-without-timestamp, graph-without-kernels, launches-without-kernels.
    [[nodiscard]] FileProfile finish(std::string file_name);

  private:
    struct Records;
    std::unique_ptr<Records> records_;
};

} // namespace kvprof::import
