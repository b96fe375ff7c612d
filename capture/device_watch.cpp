#include "capture/device_watch.h"

#include "capture/model/error.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

namespace kvprof {

namespace {

void add_reasons(const DeviceState& from, DeviceState& to) {
    if (from.event_reasons) {
        to.event_reasons = to.event_reasons.value_or(0) | *from.event_reasons;
    }
}

} // namespace

ReadDevice device_reader(std::string_view device_uuid, const Libraries& libraries) {
    ReadDevice blind = [](std::string_view /*when*/) { return std::nullopt; };
    std::shared_ptr<const Nvml> nvml;
    try {
        nvml = std::make_shared<const Nvml>(libraries);
    } catch (const UnavailableError&) {
        return blind;
    }
    if (!nvml->knows(device_uuid)) {
        return blind;
    }
    return [nvml, uuid = std::string(device_uuid)](std::string_view when) {
        return std::optional(DeviceReading{
            nvml->read_state(uuid, when), company_on(*nvml, uuid, when)});
    };
}

void DeviceLog::add(DeviceReading reading) {
    lists_self_ = lists_self_ || reading.company.lists_self;
    if (reading.state.when == "before") {
        for (const ForeignProcess& process : reading.company.others) {
            others_.push_back({process.pid, process.bytes, process.bytes});
        }
        before_ = std::move(reading);
    } else if (reading.state.when == "after") {
        after_ = std::move(reading);
    } else {
        add_during(std::move(reading));
    }
}

void DeviceLog::add_during(DeviceReading reading) {
    note_others(reading.company.others);
    const bool is_kept = seen_ % stride_ == 0;
    ++seen_;
    if (!is_kept) {
        add_reasons(reading.state, during_.back());
        return;
    }
    during_.push_back(std::move(reading.state));
    if (during_.size() > most_) {
        thin();
    }
}

void DeviceLog::note_others(const std::vector<ForeignProcess>& others) {
    const auto bytes_of = [&](std::int64_t pid) {
        const auto found = std::find_if(others.begin(), others.end(), [&](const auto& process) {
            return process.pid == pid;
        });
        return found == others.end() ? 0 : found->bytes;
    };
    for (const ForeignProcess& process : others) {
        const bool is_known = std::any_of(others_.begin(), others_.end(), [&](const Other& other) {
            return other.pid == process.pid;
        });
        if (!is_known) {
            others_.push_back({process.pid, std::nullopt, process.bytes});
        }
    }
    for (Other& other : others_) {
        const std::int64_t now = bytes_of(other.pid);
        const std::int64_t usual = other.before.value_or(0);
        if (std::abs(now - usual) > std::abs(other.during - usual)) {
            other.during = now;
        }
    }
}

void DeviceLog::thin() {
    std::vector<DeviceState> kept;
    for (std::size_t i = 0; i < during_.size(); ++i) {
        if (i % 2 == 0) {
            kept.push_back(std::move(during_[i]));
        } else {
            add_reasons(during_[i], kept.back());
        }
    }
    during_ = std::move(kept);
    stride_ *= 2;
}

WatchedDevice DeviceLog::watched() const {
    WatchedDevice watched;
    watched.lists_processes = lists_self_;
    const auto add = [&](const std::optional<DeviceReading>& reading) {
        if (reading) {
            watched.states.push_back(reading->state);
            const auto& others = reading->company.others;
            watched.foreign.insert(watched.foreign.end(), others.begin(), others.end());
        }
    };
    add(before_);
    watched.states.insert(watched.states.end(), during_.begin(), during_.end());
    if (seen_ > 0) {
        for (const Other& other : others_) {
            watched.foreign.push_back({"during", other.pid, other.during});
        }
    }
    add(after_);
    return watched;
}

DeviceWatch::DeviceWatch(ReadDevice read, std::chrono::milliseconds period)
    : read_(std::move(read)),
      period_(period) {
    if (look("before")) {
        thread_ = std::jthread([this](const std::stop_token& ended) { keep_looking(ended); });
    }
}

WatchedDevice DeviceWatch::stop() {
    if (thread_.joinable()) {
        thread_.request_stop();
        thread_.join();
        look("after");
    }
    return log_.watched();
}

void DeviceWatch::keep_looking(const std::stop_token& ended) {
    std::unique_lock lock(mutex_);
    do {
        look("during");
    } while (!ended_.wait_for(lock, ended, period_, [&] { return ended.stop_requested(); }));
}

bool DeviceWatch::look(std::string_view when) {
    std::optional<DeviceReading> reading = read_(when);
    if (reading) {
        log_.add(std::move(*reading));
    }
    return reading.has_value();
}

} // namespace kvprof
