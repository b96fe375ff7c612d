#pragma once

#include <string>
#include <string_view>

namespace kvprof::analyzers {

// Names of one kernel as two programs demangle them: torch's profiler writes
// "void f<128, true, g(int)::{lambda(float)#1}>(int, float)", Nsight Systems
// "void f<(int)128, (bool)1, g(int)::[lambda(float) (instance 1)]>(int, T3)".

/// What both spellings have: no casts, parameters, unnamed namespaces, suffixes of numbers, void
/// and spaces, and lambdas as "{lambda(float)#1}": "f<128,true,g::{lambda(float)#1}>". It may be
/// that of several kernels.
[[nodiscard]] std::string normalised_kernel_name(std::string_view name);

/// "f" of "ns::f<128>(int)": without namespaces, template arguments and parameters.
[[nodiscard]] std::string base_kernel_name(std::string_view name);

} // namespace kvprof::analyzers
