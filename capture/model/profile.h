#pragma once

#include "capture/model/enum_names.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kvprof {

/// The program that wrote an imported profile.
enum class ProfileSource : std::uint8_t { kineto, nsys };

template<>
struct EnumNames<ProfileSource> {
    static constexpr std::array values{
        std::pair{ProfileSource::kineto, "kineto"}, std::pair{ProfileSource::nsys, "nsys"}};
};

/// Whether a profile holds facts of a kind: its rows decide, not its columns.
enum class Capability : std::uint8_t {
    carried, ///< there are such rows
    absent,  ///< the recorder was set not to write them, or its format has none
    unknown  ///< there are none, and nothing says whether there could be
};

template<>
struct EnumNames<Capability> {
    static constexpr std::array values{
        std::pair{Capability::carried, "carried"},
        std::pair{Capability::absent, "absent"},
        std::pair{Capability::unknown, "unknown"}};
};

/// One figure of a rank by its name in the metric catalogue: a count, nanoseconds or bytes. A
/// figure that the profile can not give is not there, which is not 0.
struct ProfileFigure {
    std::string name; ///< "gpu.kernel.sum"
    std::int64_t value = 0;

    friend bool operator==(const ProfileFigure&, const ProfileFigure&) = default;
};

/// One step of a rank: what was launched in it, whenever it ran.
struct ProfileStep {
    std::string name;                     ///< of its annotation; empty where steps were inferred
    std::chrono::nanoseconds start{0};    ///< since the rank's first work
    std::chrono::nanoseconds duration{0}; ///< of the annotation, or until the next step
    std::int64_t launches = 0;            ///< of kernels, outside graphs
    std::int64_t graph_launches = 0;
    std::int64_t kernels = 0; ///< that ran, in graphs too
    std::chrono::nanoseconds kernel_sum{0};

    friend bool operator==(const ProfileStep&, const ProfileStep&) = default;
};

/// What one rank's process recorded.
struct ProfileRank {
    std::string rank; ///< "0", "TP00"; empty where nothing tells
    std::string file; ///< its name, without folders
    std::string gpu;  ///< name of the first device that worked; empty where nothing tells
    std::vector<ProfileFigure> figures;
    std::vector<ProfileStep> steps; ///< in time order, skipped ones left out

    friend bool operator==(const ProfileRank&, const ProfileRank&) = default;
};

/// Something that the reader repaired, left out or doubts. `word` is fixed: "truncated-json".
struct ProfileWarning {
    std::string word;
    std::int64_t count = 1; ///< events, rows or places
    std::string text;       ///< one sentence; no text of the file but names of kernels and calls

    friend bool operator==(const ProfileWarning&, const ProfileWarning&) = default;
};

/// Whether a profile carries facts of one kind: "cpu-ops", "graph-kernels", "memory", "stacks".
struct ProfileCapability {
    std::string name;
    Capability state = Capability::unknown;

    friend bool operator==(const ProfileCapability&, const ProfileCapability&) = default;
};

/// Which kernels most often ran before and after one on its stream. Kernels are places in
/// Run::kernels; absent where it had none, or none that time tells apart.
struct KernelNeighbours {
    std::int64_t kernel = 0;
    std::optional<std::int64_t> before;
    std::optional<std::int64_t> after;

    friend bool operator==(const KernelNeighbours&, const KernelNeighbours&) = default;
};

/// An imported capture of one side: one profile, or one a rank. It is one measurement: n = 1.
struct Profile {
    ProfileSource source = ProfileSource::kineto;
    std::string writer; ///< "Kineto", "Nsight Systems 2026.2.1, schema 3.25.0"
    std::string
        step_rule; ///< "annotation ProfilerStep", "inferred: 81 graph launches a step", "none"
    bool is_partial = false; ///< a part of a broken file, as asked for
    std::vector<ProfileRank> ranks;
    std::vector<ProfileCapability> capabilities;
    std::vector<ProfileWarning> warnings;
    std::vector<KernelNeighbours> neighbours; ///< in order of their kernels, those that have some

    friend bool operator==(const Profile&, const Profile&) = default;
};

} // namespace kvprof
