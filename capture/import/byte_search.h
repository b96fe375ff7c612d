#pragma once

#include <cstdint>

#ifdef __SSE2__
#include <emmintrin.h>

#include <bit>
#endif

namespace kvprof::import {

/// How many bytes behind a window must be readable, all of them 0: searches stop at the first 0
/// and compare no ends.
inline constexpr int kSentinelBytes = 16;

/// Where a search in a string stopped.
struct StringStop {
    const char* at = nullptr; ///< of a quote, a backslash or a 0
    bool is_plain = true;     ///< false: a byte before it may be a control character or no ASCII
};

namespace portable {

[[nodiscard]] inline bool is_blank(char byte) noexcept {
    return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

[[nodiscard]] inline const char* skip_blanks(const char* from) noexcept {
    while (is_blank(*from)) {
        ++from;
    }
    return from;
}

[[nodiscard]] inline StringStop find_string_stop(const char* from) noexcept {
    bool is_plain = true;
    while (*from != '"' && *from != '\\' && *from != '\0') {
        const auto byte = static_cast<unsigned char>(*from);
        is_plain = is_plain && byte >= 0x20 && byte < 0x80;
        ++from;
    }
    return {from, is_plain};
}

} // namespace portable

#ifdef __SSE2__

namespace sse2 {

[[nodiscard]] inline __m128i load(const char* from) noexcept {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}

[[nodiscard]] inline unsigned mask_of(__m128i bytes) noexcept {
    return static_cast<unsigned>(_mm_movemask_epi8(bytes));
}

[[nodiscard]] inline const char* skip_blanks(const char* from) noexcept {
    while (true) {
        const __m128i bytes = load(from);
        const __m128i blank = _mm_or_si128(
            _mm_or_si128(
                _mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')),
                _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n'))
            ),
            _mm_or_si128(
                _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\r')),
                _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\t'))
            )
        );
        const unsigned others = mask_of(blank) ^ 0xFFFFU;
        if (others != 0) {
            return from + std::countr_zero(others);
        }
        from += sizeof(__m128i);
    }
}

[[nodiscard]] inline StringStop find_string_stop(const char* from) noexcept {
    bool is_plain = true;
    while (true) {
        const __m128i bytes = load(from);
        const unsigned stops = mask_of(_mm_or_si128(
            _mm_or_si128(
                _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')),
                _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))
            ),
            _mm_cmpeq_epi8(bytes, _mm_setzero_si128())
        ));
        // Signed: bytes from 0x80 on are negative, and so below a blank as well.
        const unsigned odd = mask_of(_mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20)));
        if (stops != 0) {
            const unsigned before = (stops & (0U - stops)) - 1U;
            return {from + std::countr_zero(stops), is_plain && (odd & before) == 0};
        }
        is_plain = is_plain && odd == 0;
        from += sizeof(__m128i);
    }
}

} // namespace sse2

namespace search = sse2;

#else

namespace search = portable;

#endif

} // namespace kvprof::import
