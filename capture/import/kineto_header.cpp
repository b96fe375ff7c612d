#include "capture/import/kineto_header.h"

#include "capture/import/decimal_time.h"
#include "capture/import/json_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace kvprof::import {

namespace {

constexpr std::size_t kMostNamed = 8;    // members that a message names
constexpr std::size_t kLongestText = 64; // of a member's name, a rank, a device
constexpr std::size_t kMostDevices = 1024;

/// The text of a string or number that is about to be read; empty for any other.
std::string read_text(JsonScanner& json) {
    json.hold();
    const JsonToken token = json.read_value();
    TextDefects unused;
    std::string text = token.kind == JsonToken::Kind::container
                           ? ""
                           : decode_json_string(json.text(token), unused);
    json.release();
    return text.size() <= kLongestText ? text : "";
}

std::string read_key(JsonScanner& json) {
    json.hold();
    const JsonToken token = json.read_key();
    TextDefects unused;
    std::string text = decode_json_string(json.text(token), unused);
    json.release();
    return text;
}

std::optional<bool> flag(std::string_view text) {
    if (text == "1" || text == "true") {
        return true;
    }
    return text == "0" || text == "false" ? std::optional(false) : std::nullopt;
}

Capability capability(bool has_rows, std::optional<bool> setting) {
    if (has_rows || setting.value_or(false)) {
        return Capability::carried;
    }
    return setting ? Capability::absent : Capability::unknown;
}

} // namespace

void KinetoHeader::read_member(std::string_view key, JsonScanner& json) {
    if (members_++ < kMostNamed) {
        name(key);
    }
    if (key == "deviceProperties") {
        is_kineto_ = true;
        read_devices(json);
    } else if (key == "distributedInfo") {
        read_distributed(json);
    } else if (key == "with_stack") {
        with_stack_ = flag(read_text(json));
    } else if (key == "profile_memory") {
        profile_memory_ = flag(read_text(json));
    } else {
        is_kineto_ = is_kineto_ || key == "schemaVersion";
        json.skip_value();
    }
}

void KinetoHeader::name(std::string_view member) {
    const bool is_clean = std::all_of(member.begin(), member.end(), [](char byte) {
        return byte >= ' ' && byte < 0x7F;
    });
    named_ += named_.empty() ? "" : ", ";
    named_ += is_clean && member.size() <= kLongestText ? member : "?";
}

void KinetoHeader::read_devices(JsonScanner& json) {
    if (json.peek() != '[') {
        json.skip_value();
        return;
    }
    for (bool more = json.open('['); more; more = json.next(']')) {
        if (json.peek() != '{') {
            json.skip_value();
            continue;
        }
        Device device;
        for (bool member = json.open('{'); member; member = json.next('}')) {
            const std::string key = read_key(json);
            if (key == "id") {
                device.first = read_text(json);
            } else if (key == "name") {
                device.second = read_text(json);
            } else {
                json.skip_value();
            }
        }
        if (devices_.size() < kMostDevices) {
            devices_.push_back(std::move(device));
        }
    }
}

void KinetoHeader::read_distributed(JsonScanner& json) {
    if (json.peek() != '{') {
        json.skip_value();
        return;
    }
    for (bool more = json.open('{'); more; more = json.next('}')) {
        if (read_key(json) != "rank") {
            json.skip_value();
            continue;
        }
        const std::string rank = read_text(json);
        rank_ = parse_id(rank) ? rank : "";
    }
}

std::string KinetoHeader::gpu(const std::string& busiest) const {
    const auto named = [this](const auto& fits) {
        const auto found =
            std::find_if(devices_.begin(), devices_.end(), [&](const Device& device) {
                return !device.second.empty() && fits(device);
            });
        return found == devices_.end() ? std::string() : found->second;
    };
    std::string worked = named([&](const Device& device) { return device.first == busiest; });
    return worked.empty() ? named([](const Device&) { return true; }) : worked;
}

void KinetoHeader::report(KinetoEvents& events, ProfileBuilder& to) const {
    const std::string busiest = events.busiest_device();
    to.set_source(
        ProfileSource::kineto, is_kineto_ || !busiest.empty() ? "Kineto" : "Chrome trace"
    );
    if (!rank_.empty()) {
        to.set_rank(rank_);
    }
    if (std::string name = gpu(busiest); !name.empty()) {
        to.set_gpu(std::move(name));
    }
    to.set_capability("stacks", capability(events.has_stacks(), with_stack_));
    to.set_capability("memory", capability(events.has_memory(), profile_memory_));
}

std::string KinetoHeader::members() const {
    if (members_ > kMostNamed) {
        return fmt::format("{} and {} more", named_, members_ - kMostNamed);
    }
    return members_ == 0 ? "none" : named_;
}

} // namespace kvprof::import
