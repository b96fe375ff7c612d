#pragma once

#include "capture/import/json_scanner.h"
#include "capture/import/json_text.h"
#include "capture/import/profile_builder.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kvprof::import {

/// Makes ids of what Kineto writes as names and as keys of places, which may be numbers or texts.
class KinetoKeys {
  public:
    KinetoKeys(const JsonScanner& json, ProfileBuilder& to);

    /// A name; "?" where there is none.
    [[nodiscard]] std::uint32_t name(const JsonToken& token);
    /// A pid of merged files, "[TP00] 17", tells its rank.
    [[nodiscard]] std::uint32_t process(const JsonToken& pid);
    [[nodiscard]] std::uint32_t thread(const JsonToken& tid);
    /// The argument, or else what the pid of GPU work is.
    [[nodiscard]] std::uint32_t device(const JsonToken& argument, const JsonToken& pid);
    /// The argument, or else what the tid of GPU work is: 7 or "stream 7".
    [[nodiscard]] std::uint32_t stream(const JsonToken& argument, const JsonToken& tid);

    /// The token's text, decoded; empty where it has none. Good until the next call.
    [[nodiscard]] std::string_view text(const JsonToken& token);
    [[nodiscard]] bool has_text(const JsonToken& token) const;

    [[nodiscard]] const TextDefects& defects() const noexcept { return defects_; }

  private:
    /// Few places take part in millions of events: the last ones are found without hashing.
    struct Known {
        std::array<char, 23> text{};
        std::uint8_t size = 0;
        std::uint32_t id = 0;
    };

    [[nodiscard]] std::uint32_t place(std::string_view text);

    const JsonScanner& json_;
    ProfileBuilder& to_;
    std::array<Known, 64> known_{};
    std::uint32_t unknown_;
    std::uint32_t last_process_ = 0;
    std::string decoded_;
    TextDefects defects_;
};

} // namespace kvprof::import
