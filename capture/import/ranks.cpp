#include "capture/import/ranks.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace kvprof::import {

namespace {

const std::string& rank_name(const Recorded& recorded, std::uint32_t process) {
    const auto own = recorded.rank_of.find(process);
    return own == recorded.rank_of.end() ? recorded.rank : own->second;
}

template<class Key>
std::uint32_t number_of(std::map<Key, std::uint32_t>& numbers, const Key& key) {
    return numbers.try_emplace(key, static_cast<std::uint32_t>(numbers.size())).first->second;
}

} // namespace

bool rank_comes_before(const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
}

Ranks::Ranks(const Recorded& recorded) {
    find_ranks(recorded);
    find_places(recorded);
    find_launchers(recorded);
}

const std::uint32_t* Ranks::rank_of(std::uint32_t process) const {
    const auto found = rank_of_.find(process);
    return found == rank_of_.end() ? nullptr : &found->second;
}

void Ranks::find_ranks(const Recorded& recorded) {
    for (std::uint32_t lane = 0; lane < recorded.lanes.size(); ++lane) {
        names_.push_back(rank_name(recorded, recorded.lanes[lane].process));
    }
    if (names_.empty()) {
        names_.push_back(recorded.rank);
    }
    std::sort(names_.begin(), names_.end(), rank_comes_before);
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
    for (std::uint32_t lane = 0; lane < recorded.lanes.size(); ++lane) {
        const std::uint32_t process = recorded.lanes[lane].process;
        const auto name = std::lower_bound(
            names_.begin(), names_.end(), rank_name(recorded, process), rank_comes_before
        );
        rank_of_[process] = static_cast<std::uint32_t>(name - names_.begin());
    }
}

void Ranks::find_places(const Recorded& recorded) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> devices;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> streams;
    for (std::uint32_t id = 0; id < recorded.lanes.size(); ++id) {
        const Lane& lane = recorded.lanes[id];
        LanePlace place{.rank = rank_of_.at(lane.process)};
        if (lane.kind != EventKind::api && lane.kind != EventKind::cpu_op) {
            place.device = number_of(devices, {place.rank, lane.place});
            place.stream = number_of(streams, {lane.process, lane.place, lane.stream});
        }
        places_.push_back(place);
    }
    devices_ = static_cast<std::uint32_t>(devices.size());
    streams_ = static_cast<std::uint32_t>(streams.size());
}

void Ranks::find_launchers(const Recorded& recorded) {
    launchers_.resize(names_.size());
    const bool names_process = recorded.source == ProfileSource::nsys;
    std::map<std::uint32_t, std::uint32_t> own; // of a process: a place in launchers_
    for (std::uint32_t id = 0; id < recorded.lanes.size(); ++id) {
        const Lane& lane = recorded.lanes[id];
        if (lane.kind == EventKind::api) {
            launchers_[places_[id].rank].push_back(lane.process);
        }
        std::uint32_t list = places_[id].rank;
        if (names_process && lane.process != 0) {
            const auto [found, is_new] =
                own.try_emplace(lane.process, static_cast<std::uint32_t>(launchers_.size()));
            if (is_new) {
                launchers_.push_back({lane.process});
            }
            list = found->second;
        }
        launchers_of_.push_back(list);
    }
    const auto by_text = [&](std::uint32_t a, std::uint32_t b) {
        return recorded.names.text(a) < recorded.names.text(b);
    };
    for (std::vector<std::uint32_t>& processes : launchers_) {
        std::sort(processes.begin(), processes.end(), by_text);
        processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
    }
}

} // namespace kvprof::import
