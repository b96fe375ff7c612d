#include "capture/import/kineto_keys.h"

#include <algorithm>

namespace kvprof::import {

namespace {

constexpr std::string_view kStream = "stream "; // of 2020 and 2021

/// "TP00" of "[TP00] 17"; empty for any other pid.
std::string_view rank_label(std::string_view pid) {
    const auto end = pid.starts_with('[') ? pid.find(']') : pid.npos;
    return end == pid.npos ? std::string_view() : pid.substr(1, end - 1);
}

std::string_view without_label(std::string_view pid) {
    if (rank_label(pid).empty()) {
        return pid;
    }
    pid.remove_prefix(pid.find(']') + 1);
    pid.remove_prefix(std::min(pid.find_first_not_of(' '), pid.size()));
    return pid;
}

} // namespace

KinetoKeys::KinetoKeys(const JsonScanner& json, ProfileBuilder& to)
    : json_(json),
      to_(to),
      unknown_(to.names().id_of("?")) {}

bool KinetoKeys::has_text(const JsonToken& token) const {
    return token.kind == JsonToken::Kind::string
           || (token.kind == JsonToken::Kind::scalar && json_.text(token) != "null");
}

std::string_view KinetoKeys::text(const JsonToken& token) {
    if (!has_text(token)) {
        return {};
    }
    const std::string_view raw = json_.text(token);
    if (token.is_plain) {
        return raw;
    }
    decoded_ = decode_json_string(raw, defects_);
    return decoded_;
}

std::uint32_t KinetoKeys::name(const JsonToken& token) {
    return token.kind == JsonToken::Kind::string ? to_.names().id_of(text(token)) : unknown_;
}

std::uint32_t KinetoKeys::place(std::string_view text) {
    Known unused;
    if (text.empty() || text.size() > unused.text.size()) {
        return to_.names().id_of(text);
    }
    const auto last = static_cast<unsigned char>(text.back());
    Known& known = known_[(last + 16 * text.size()) % known_.size()];
    if (known.size == text.size() && std::equal(text.begin(), text.end(), known.text.begin())) {
        return known.id;
    }
    known.id = to_.names().id_of(text);
    known.size = static_cast<std::uint8_t>(text.size());
    std::copy(text.begin(), text.end(), known.text.begin());
    return known.id;
}

std::uint32_t KinetoKeys::process(const JsonToken& pid) {
    if (!has_text(pid)) {
        return unknown_;
    }
    const std::string_view whole = text(pid);
    const std::uint32_t id = place(whole);
    if (const std::string_view label = rank_label(whole); !label.empty() && id != last_process_) {
        to_.set_rank_of(id, std::string(label));
        last_process_ = id;
    }
    return id;
}

std::uint32_t KinetoKeys::thread(const JsonToken& tid) {
    return has_text(tid) ? place(text(tid)) : unknown_;
}

std::uint32_t KinetoKeys::device(const JsonToken& argument, const JsonToken& pid) {
    if (has_text(argument)) {
        return place(text(argument));
    }
    return has_text(pid) ? place(without_label(text(pid))) : unknown_;
}

std::uint32_t KinetoKeys::stream(const JsonToken& argument, const JsonToken& tid) {
    if (has_text(argument)) {
        return place(text(argument));
    }
    if (!has_text(tid)) {
        return unknown_;
    }
    std::string_view whole = text(tid);
    whole.remove_prefix(whole.starts_with(kStream) ? kStream.size() : 0);
    return place(whole);
}

} // namespace kvprof::import
