#pragma once

#include "kernels/calls.h"
#include "kernels/launch_geometry.h"

#include <cstdint>
#include <type_traits>

/// Picks the template instance that a call asks for at run time.
namespace kvprof::kernels::cuda {

inline dim3 grid_of(const LaunchShape& shape) {
    return {static_cast<unsigned>(shape.grid_x), static_cast<unsigned>(shape.grid_y)};
}

/// What the 32-bit positions and unsigned products of the read kernels rely on.
inline bool fits_narrow_ids(const ReadLanes& lanes) {
    return lanes.req_columns <= kMostColumns && lanes.page_size <= kMostColumns
           && lanes.page_size >= 1 && lanes.mult >= 1 && lanes.v2p.rows >= 1;
}

/// body(std::int32_t{}) or body(std::int64_t{}).
template<typename Body>
cudaError_t with_index_type(IndexType type, Body body) {
    return type == IndexType::i32 ? body(std::int32_t{}) : body(std::int64_t{});
}

template<int PageSize>
using PageSizeConstant = std::integral_constant<int, PageSize>;

/// body(PageSizeConstant<ps>{}) for the usual page sizes, <0> (read at run time) for the others.
template<typename Body>
cudaError_t with_page_size(std::int64_t page_size, Body body) {
    switch (page_size) {
    case 1: return body(PageSizeConstant<1>{});
    case 2: return body(PageSizeConstant<2>{});
    case 4: return body(PageSizeConstant<4>{});
    case 16: return body(PageSizeConstant<16>{});
    case 32: return body(PageSizeConstant<32>{});
    case 64: return body(PageSizeConstant<64>{});
    case 128: return body(PageSizeConstant<128>{});
    default: return body(PageSizeConstant<0>{});
    }
}

} // namespace kvprof::kernels::cuda
