#pragma once

#include "capture/import/profile_builder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kvprof::import::test {

constexpr std::uint64_t kNoCorrelation = ~std::uint64_t{0};

/// Where and when GPU work ran; times in ns.
struct RanAt {
    std::int64_t start = 0;
    std::int64_t duration = 0;
    std::uint64_t correlation = kNoCorrelation;
    std::string_view name = "k";
    std::string_view stream = "7";
    std::string_view device = "0";
    std::string_view process = "0"; ///< Kineto's: the device
    bool has_time = true;
    std::uint64_t node = 0;
    LaunchShape shape = {};
};

/// Where and when the host did something; times in ns.
struct DoneAt {
    std::int64_t start = 0;
    std::int64_t duration = 0;
    std::uint64_t correlation = kNoCorrelation;
    std::string_view thread = "100";
    std::string_view process = "100";
};

/// What a builder made, by names.
struct BuiltProfile {
    FileProfile file;

    [[nodiscard]] std::optional<std::int64_t>
    figure(std::string_view name, std::size_t rank = 0) const {
        for (const ProfileFigure& one : file.profile.ranks.at(rank).figures) {
            if (one.name == name) {
                return one.value;
            }
        }
        return std::nullopt;
    }

    /// 0 where the profile does not warn with the word.
    [[nodiscard]] std::int64_t warned(std::string_view word) const {
        for (const ProfileWarning& warning : file.profile.warnings) {
            if (warning.word == word) {
                return warning.count;
            }
        }
        return 0;
    }

    [[nodiscard]] const std::vector<ProfileStep>& steps(std::size_t rank = 0) const {
        return file.profile.ranks.at(rank).steps;
    }
};

/// Feeds a builder as readers do.
class ProfileRig {
  public:
    explicit ProfileRig(ReadOptions options = {})
        : builder(std::move(options)) {}

    void kernel(const RanAt& at) { work(EventKind::kernel, at); }

    void work(EventKind kind, const RanAt& at) {
        TraceEvent event;
        event.kind = kind;
        event.name = id(at.name);
        event.process = id(at.process);
        event.device = id(at.device);
        event.stream = id(at.stream);
        event.start_ns = at.start;
        event.duration_ns = at.duration;
        event.has_time = at.has_time;
        event.graph_node = at.node;
        event.shape = at.shape;
        event.correlation = optional(at.correlation);
        builder.add(event);
    }

    void call(std::string_view name, const DoneAt& at) { host(EventKind::api, name, at); }

    void op(const DoneAt& at) { host(EventKind::cpu_op, "aten::mm", at); }

    void annotation(std::string_view name, const DoneAt& at) {
        host(EventKind::annotation, name, at);
    }

    [[nodiscard]] std::uint32_t id(std::string_view text) { return builder.names().id_of(text); }

    [[nodiscard]] BuiltProfile finish() { return {builder.finish("trace.json")}; }

    ProfileBuilder builder;

  private:
    static std::optional<std::uint64_t> optional(std::uint64_t correlation) {
        return correlation == kNoCorrelation ? std::nullopt : std::optional(correlation);
    }

    void host(EventKind kind, std::string_view name, const DoneAt& at) {
        TraceEvent event;
        event.kind = kind;
        event.name = id(name);
        event.process = id(at.process);
        event.thread = id(at.thread);
        event.start_ns = at.start;
        event.duration_ns = at.duration;
        event.correlation = optional(at.correlation);
        builder.add(event);
    }
};

} // namespace kvprof::import::test
