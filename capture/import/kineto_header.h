#pragma once

#include "capture/import/json_scanner.h"
#include "capture/import/kineto_events.h"
#include "capture/import/profile_builder.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kvprof::import {

/// What stands in a Kineto trace beside its events: ranks, devices and how the capture was set.
/// Users put their own members there, with secrets in some: what is not known here is skipped.
class KinetoHeader {
  public:
    /// Reads the value of a member of the file's object. @throws JsonError
    void read_member(std::string_view key, JsonScanner& json);
    /// Tells the builder, once all events were read.
    void report(KinetoEvents& events, ProfileBuilder& to) const;

    /// "a, b and 3 more": names of the members read, for a file that holds no events.
    [[nodiscard]] std::string members() const;

  private:
    using Device = std::pair<std::string, std::string>; ///< its ordinal, its name

    void name(std::string_view member);
    void read_devices(JsonScanner& json);
    void read_distributed(JsonScanner& json);
    [[nodiscard]] std::string gpu(const std::string& busiest) const;

    bool is_kineto_ = false;
    std::string rank_;
    std::vector<Device> devices_;
    std::optional<bool> with_stack_;
    std::optional<bool> profile_memory_;
    std::size_t members_ = 0;
    std::string named_; ///< the first of them
};

} // namespace kvprof::import
