#include "analyzers/device_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>
#include <vector>

namespace kvprof::analyzers {

std::string clock_event_words(std::int64_t reasons) {
    // nvmlClocksEventReason*, nvml.h
    constexpr std::array kReasons{
        std::pair{0x1, "GPU idle"},
        std::pair{0x2, "application clocks"},
        std::pair{0x4, "SW power cap"},
        std::pair{0x8, "HW slowdown"},
        std::pair{0x10, "sync boost"},
        std::pair{0x20, "SW thermal slowdown"},
        std::pair{0x40, "HW thermal slowdown"},
        std::pair{0x80, "HW power brake"},
        std::pair{0x100, "display clocks"}};
    std::vector<std::string> words;
    for (const auto& [bit, word] : kReasons) {
        if ((reasons & bit) != 0) {
            words.emplace_back(word);
            reasons &= ~std::int64_t{bit};
        }
    }
    if (reasons != 0) {
        words.push_back(fmt::format("{:#x}", reasons));
    }
    return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

} // namespace kvprof::analyzers
