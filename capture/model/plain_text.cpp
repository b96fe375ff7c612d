#include "capture/model/plain_text.h"

#include <algorithm>
#include <cstddef>

namespace kvprof {

namespace {

bool is_continuation(char letter) {
    return (static_cast<unsigned char>(letter) & 0xc0U) == 0x80U;
}

} // namespace

std::size_t utf8_length(unsigned char lead) {
    if (lead < 0x80U) {
        return 1;
    }
    if (lead < 0xc2U || lead > 0xf4U) {
        return 0;
    }
    if (lead < 0xe0U) {
        return 2;
    }
    return lead < 0xf0U ? 3 : 4;
}

bool is_plain_text(std::string_view text) {
    constexpr std::size_t kMostBytes = 200;
    constexpr unsigned char kFirstPrintable = 0x20;
    constexpr unsigned char kDelete = 0x7f;
    if (text.size() > kMostBytes) {
        return false;
    }
    while (!text.empty()) {
        const auto lead = static_cast<unsigned char>(text.front());
        const std::size_t length = utf8_length(lead);
        if (length == 0 || length > text.size() || lead < kFirstPrintable || lead == kDelete
            || !std::all_of(
                text.begin() + 1,
                text.begin() + static_cast<std::ptrdiff_t>(length),
                is_continuation
            )) {
            return false;
        }
        text.remove_prefix(length);
    }
    return true;
}

} // namespace kvprof
