#include "tests/support/index_buffer.h"

namespace kvprof::test {
namespace {

std::size_t width_of(kernels::IndexType type) {
    return type == kernels::IndexType::i32 ? sizeof(std::int32_t) : sizeof(std::int64_t);
}

} // namespace

IndexBuffer::IndexBuffer(const std::vector<std::int64_t>& values, kernels::IndexType width)
    : type(width),
      bytes(values.size() * width_of(width)) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        kernels::store_index(mutable_view(), static_cast<std::int64_t>(i), values[i]);
    }
}

std::vector<std::int64_t>
IndexBuffer::decode(const std::vector<std::uint8_t>& bytes, kernels::IndexType type) {
    std::vector<std::int64_t> values(bytes.size() / width_of(type));
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = kernels::load_index(bytes.data(), type, static_cast<std::int64_t>(i));
    }
    return values;
}

} // namespace kvprof::test
