#pragma once

#include "capture/import/names.h"
#include "capture/import/nsys_schema.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kvprof::import {

/// Names of numbers ("7"), each made once.
class NumberNames {
  public:
    explicit NumberNames(Names& names)
        : names_(names) {}

    [[nodiscard]] std::uint32_t of(std::int64_t number);

  private:
    Names& names_;
    std::unordered_map<std::int64_t, std::uint32_t> known_;
    std::int64_t last_ = -1;
    std::uint32_t last_name_ = 0;
};

/// A process that did GPU work, and its rank: "1", "TP1".
struct ProcessRank {
    std::uint32_t process = 0;
    std::string rank;
};

/// Where events happened: keys of processes, threads, streams and physical devices.
class NsysPlaces {
  public:
    NsysPlaces(NsysDatabase& database, const NsysSchema& schema, Names& names);

    /// Of a caller: its process (a globalTid holds it in bits 24 to 47) is one that made calls.
    [[nodiscard]] std::uint32_t caller(std::optional<std::int64_t> global);
    /// Of GPU work. Where the row does not say, the only process that made calls.
    [[nodiscard]] std::uint32_t process(std::optional<std::int64_t> global);
    [[nodiscard]] std::uint32_t thread(std::optional<std::int64_t> global);
    [[nodiscard]] std::uint32_t stream(std::optional<std::int64_t> stream);
    /// Two processes may both call their GPU device 0, and may both use the same GPU.
    [[nodiscard]] std::uint32_t
    device(std::optional<std::int64_t> global, std::optional<std::int64_t> device);

    /// The name of the first GPU that worked; empty where nothing tells.
    [[nodiscard]] std::string gpu() const;

    /// Of an export of several processes that did GPU work, in order of pid: what their names say
    /// where each says another, else 0, 1, and so on. Empty for one process.
    [[nodiscard]] std::vector<ProcessRank> ranks();

  private:
    using DeviceKey = std::pair<std::int64_t, std::int64_t>; ///< pid (-1: unknown), device

    void read_gpus(NsysDatabase& database, const NsysSchema& schema);
    void read_devices(NsysDatabase& database, const NsysSchema& schema);
    void read_processes(NsysDatabase& database, const NsysSchema& schema);
    [[nodiscard]] std::uint32_t named_device(const DeviceKey& key);

    Names& names_;
    NumberNames numbers_;
    std::uint32_t unknown_;
    std::set<std::uint32_t> callers_;
    std::map<std::int64_t, std::string> gpus_;       ///< TARGET_INFO_GPU
    std::map<std::int64_t, std::string> rank_names_; ///< by pid, of PROCESSES, where it says one
    std::map<DeviceKey, std::int64_t> physical_;     ///< TARGET_INFO_CUDA_DEVICE
    std::map<DeviceKey, std::uint32_t> devices_;     ///< that worked
    std::set<std::int64_t> worked_;                  ///< of `gpus_`
};

} // namespace kvprof::import
