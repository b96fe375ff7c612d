#include "capture/build_id.h"

#include <elf.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <link.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>

namespace kvprof {

namespace {

using Bytes = std::span<const unsigned char>;

/// Names and descriptions of notes begin at multiples of four bytes.
constexpr std::size_t padded(std::size_t size) {
    return (size + 3) / 4 * 4;
}

/// The description of the build id's note; empty when it is not among these notes.
Bytes id_in(Bytes notes) {
    constexpr std::string_view kOwner{"GNU", 4}; // its zero is a part of it
    while (notes.size() >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) head{};
        std::memcpy(&head, notes.data(), sizeof head);
        const Bytes rest = notes.subspan(sizeof head);
        const std::size_t name = padded(head.n_namesz);
        const std::size_t all = name + padded(head.n_descsz);
        if (all > rest.size()) {
            break;
        }
        const bool is_id = head.n_type == NT_GNU_BUILD_ID && head.n_namesz == kOwner.size()
                           && std::memcmp(rest.data(), kOwner.data(), kOwner.size()) == 0;
        if (is_id) {
            return rest.subspan(name, head.n_descsz);
        }
        notes = rest.subspan(all);
    }
    return {};
}

/// dl_iterate_phdr's callback: the program itself comes first, and its answer ends the walk.
int read_program(dl_phdr_info* info, std::size_t /*size*/, void* into) {
    for (std::size_t i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& part = info->dlpi_phdr[i];
        if (part.p_type != PT_NOTE) {
            continue;
        }
        const auto* const start =
            reinterpret_cast<const unsigned char*>(info->dlpi_addr + part.p_vaddr);
        if (const Bytes id = id_in({start, part.p_memsz}); !id.empty()) {
            *static_cast<std::string*>(into) = fmt::format("{:02x}", fmt::join(id, ""));
            break;
        }
    }
    return 1;
}

} // namespace

std::string build_id() {
    std::string id;
    dl_iterate_phdr(read_program, &id);
    return id.empty() ? "unavailable: the program was linked without a build id" : id;
}

} // namespace kvprof
