// The part of fmt that is not header-only: what fmt's own src/format.cc instantiates. Debian
// packages that file as a shared library alone, and header-only fmt costs 2 s in each source file.
#include <fmt/format-inl.h>

namespace fmt {
inline namespace v9 {
namespace detail {

template FMT_API auto dragonbox::to_decimal(float x) noexcept -> dragonbox::decimal_fp<float>;
template FMT_API auto dragonbox::to_decimal(double x) noexcept -> dragonbox::decimal_fp<double>;
template FMT_API locale_ref::locale_ref(const std::locale& loc);
template FMT_API auto locale_ref::get<std::locale>() const -> std::locale;
template FMT_API auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;
template FMT_API void buffer<char>::append(const char*, const char*);
template FMT_API void vformat_to(
    buffer<char>&,
    string_view,
    basic_format_args<FMT_BUFFER_CONTEXT(type_identity_t<char>)>,
    locale_ref
);

} // namespace detail
} // namespace v9
} // namespace fmt
