#pragma once

#include "kernels/calls.h"
#include "tests/support/device_vector.h"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace kvprof::test {

/// Device copies of host memory, found again by a host pointer: `at` moves a pointer of a call that
/// was made over host memory to the same place of the copy.
class DeviceMirror {
  public:
    /// Copies the vector's contents; the vector must stay where it is.
    template<typename T>
    void add(const std::vector<T>& values) {
        const auto* first = reinterpret_cast<const std::uint8_t*>(values.data());
        const std::vector<std::uint8_t> bytes(first, first + values.size() * sizeof(T));
        copies_.push_back({first, bytes.size(), DeviceVector<std::uint8_t>(bytes)});
    }

    /// Copies the contents again, after the host changed them.
    template<typename T>
    void refresh(const std::vector<T>& values) {
        const auto* first = reinterpret_cast<const std::uint8_t*>(values.data());
        copies_[index_of(first)].device.assign({first, first + values.size() * sizeof(T)});
    }

    /// What the device holds in place of the vector.
    template<typename T>
    [[nodiscard]] std::vector<T> fetched(const std::vector<T>& values) const {
        const auto bytes =
            entry(reinterpret_cast<const std::uint8_t*>(values.data())).device.host();
        const auto* first = reinterpret_cast<const T*>(bytes.data());
        return {first, first + bytes.size() / sizeof(T)};
    }

    /// null stays null.
    template<typename T>
    void move(T*& pointer) const {
        if (pointer == nullptr) {
            return;
        }
        const auto* place = reinterpret_cast<const std::uint8_t*>(pointer);
        const Copy& copy = entry(place);
        void* device = copy.device.data() + (place - copy.first);
        pointer = static_cast<T*>(device);
    }

    void move(kernels::IndexArray& array) const { move_data(array); }

    void move(kernels::MutableIndexArray& array) const { move_data(array); }

    void move(kernels::V2p& v2p) const { move_data(v2p); }

    template<typename... Members>
    void move_all(Members&... members) const {
        (move(members), ...);
    }

  private:
    struct Copy {
        const std::uint8_t* first;
        std::size_t bytes;
        DeviceVector<std::uint8_t> device;
    };

    template<typename Array>
    void move_data(Array& array) const {
        using Byte = std::conditional_t<
            std::is_const_v<std::remove_pointer_t<decltype(array.data)>>,
            const std::uint8_t,
            std::uint8_t>;
        auto* bytes = static_cast<Byte*>(array.data);
        move(bytes);
        array.data = bytes;
    }

    [[nodiscard]] std::size_t index_of(const std::uint8_t* place) const {
        for (std::size_t i = 0; i < copies_.size(); ++i) {
            if (place >= copies_[i].first && place < copies_[i].first + copies_[i].bytes) {
                return i;
            }
        }
        throw std::logic_error("the mirror has no copy of this memory");
    }

    [[nodiscard]] const Copy& entry(const std::uint8_t* place) const {
        return copies_[index_of(place)];
    }

    std::vector<Copy> copies_;
};

} // namespace kvprof::test
