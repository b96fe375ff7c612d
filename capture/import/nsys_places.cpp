#include "capture/import/nsys_places.h"

#include "capture/import/captures.h"
#include "capture/import/nsys_strings.h"

#include <fmt/format.h>

namespace kvprof::import {

namespace {

constexpr std::int64_t kUnknownProcess = -1;
constexpr std::size_t kLongestName = 200;

/// Some exports hold global ids as unsigned numbers: the shift is logical.
std::int64_t pid_of(std::int64_t global) {
    return static_cast<std::int64_t>((static_cast<std::uint64_t>(global) >> 24U) & 0xFF'FFFFU);
}

std::int64_t tid_of(std::int64_t global) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(global) & 0xFF'FFFFU);
}

} // namespace

std::uint32_t NumberNames::of(std::int64_t number) {
    if (number == last_ && !known_.empty()) {
        return last_name_;
    }
    const auto [place, is_new] = known_.try_emplace(number, 0U);
    if (is_new) {
        place->second = names_.id_of(fmt::format("{}", number));
    }
    last_ = number;
    last_name_ = place->second;
    return last_name_;
}

NsysPlaces::NsysPlaces(NsysDatabase& database, const NsysSchema& schema, Names& names)
    : names_(names),
      numbers_(names),
      unknown_(names.id_of("?")) {
    read_gpus(database, schema);
    read_devices(database, schema);
    read_processes(database, schema);
}

void NsysPlaces::read_gpus(NsysDatabase& database, const NsysSchema& schema) {
    const auto table = schema.find("TARGET_INFO_GPU");
    if (!table) {
        return;
    }
    NsysRows rows(database, schema.select(*table, {{"id"}, {"name"}}));
    while (rows.next()) {
        if (rows.is_integer(0) && rows.is_text(1)) {
            std::int64_t repairs = 0;
            gpus_.emplace(rows.integer(0), repaired(rows.text(1).substr(0, kLongestName), repairs));
        }
    }
}

void NsysPlaces::read_devices(NsysDatabase& database, const NsysSchema& schema) {
    const auto table = schema.find("TARGET_INFO_CUDA_DEVICE");
    if (!table) {
        return;
    }
    NsysRows rows(database, schema.select(*table, {{"pid"}, {"cudaId"}, {"gpuId"}}));
    while (rows.next()) {
        if (rows.is_integer(0) && rows.is_integer(1) && rows.is_integer(2)) {
            physical_.emplace(DeviceKey{rows.integer(0), rows.integer(1)}, rows.integer(2));
        }
    }
}

/// "VLLM::Worker_TP1": of a process's name no more than its rank is kept.
void NsysPlaces::read_processes(NsysDatabase& database, const NsysSchema& schema) {
    const auto table = schema.find("PROCESSES");
    if (!table) {
        return;
    }
    NsysRows rows(database, schema.select(*table, {{"globalPid"}, {"name"}}));
    while (rows.next()) {
        if (rows.is_integer(0) && rows.is_text(1)) {
            const std::string rank = rank_in(rows.text(1).substr(0, kLongestName));
            if (!rank.empty()) {
                rank_names_.emplace(pid_of(rows.integer(0)), rank);
            }
        }
    }
}

std::vector<ProcessRank> NsysPlaces::ranks() {
    std::set<std::int64_t> pids;
    for (const auto& [key, device] : devices_) {
        if (key.first != kUnknownProcess) {
            pids.insert(key.first);
        }
    }
    std::vector<ProcessRank> ranks;
    std::set<std::string> names;
    for (const std::int64_t pid : pids) {
        const auto named = rank_names_.find(pid);
        ranks.push_back({numbers_.of(pid), named == rank_names_.end() ? "" : named->second});
        names.insert(ranks.back().rank);
    }
    if (names.size() != ranks.size() || names.contains("")) {
        for (std::size_t ordinal = 0; ordinal < ranks.size(); ++ordinal) {
            ranks[ordinal].rank = fmt::format("{}", ordinal);
        }
    }
    return ranks.size() > 1 ? ranks : std::vector<ProcessRank>();
}

std::uint32_t NsysPlaces::caller(std::optional<std::int64_t> global) {
    const std::uint32_t process = global ? numbers_.of(pid_of(*global)) : unknown_;
    callers_.insert(process);
    return process;
}

std::uint32_t NsysPlaces::process(std::optional<std::int64_t> global) {
    if (global) {
        return numbers_.of(pid_of(*global));
    }
    return callers_.size() == 1 ? *callers_.begin() : unknown_;
}

std::uint32_t NsysPlaces::thread(std::optional<std::int64_t> global) {
    return global ? numbers_.of(tid_of(*global)) : unknown_;
}

std::uint32_t NsysPlaces::stream(std::optional<std::int64_t> stream) {
    return stream ? numbers_.of(*stream) : unknown_;
}

std::uint32_t
NsysPlaces::device(std::optional<std::int64_t> global, std::optional<std::int64_t> device) {
    if (!device) {
        return unknown_;
    }
    const DeviceKey key{global ? pid_of(*global) : kUnknownProcess, *device};
    const auto [place, is_new] = devices_.try_emplace(key, unknown_);
    if (is_new) {
        place->second = named_device(key);
    }
    return place->second;
}

std::uint32_t NsysPlaces::named_device(const DeviceKey& key) {
    const auto& [pid, device] = key;
    if (const auto gpu = physical_.find(key); gpu != physical_.end()) {
        worked_.insert(gpu->second);
        return names_.id_of(fmt::format("GPU {}", gpu->second));
    }
    return names_.id_of(
        pid == kUnknownProcess ? fmt::format("{}", device) : fmt::format("{}:{}", pid, device)
    );
}

std::string NsysPlaces::gpu() const {
    if (devices_.empty()) {
        return {};
    }
    if (!worked_.empty()) {
        const auto gpu = gpus_.find(*worked_.begin());
        return gpu == gpus_.end() ? std::string() : gpu->second;
    }
    // Which of them it was is not known: the name is, when all have it.
    std::set<std::string> names;
    for (const auto& [id, name] : gpus_) {
        names.insert(name);
    }
    return names.size() == 1 ? *names.begin() : std::string();
}

} // namespace kvprof::import
