#include "tests/kernels/move_case.h"

#include "tests/support/random.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace kvprof::test {

MoveCase::MoveCase(
    std::int64_t pages, std::int64_t bytes, std::int64_t moves, kernels::IndexType type
)
    : page_bytes(bytes),
      pool(static_cast<std::size_t>(pages * bytes)),
      v2p({}, type),
      p2v(static_cast<std::size_t>(pages + 1), -1),
      staging(static_cast<std::size_t>(moves * bytes), 0x5a) {
    std::mt19937 random(static_cast<std::uint32_t>(pages + bytes));
    std::generate(pool.begin(), pool.end(), [&] {
        return static_cast<std::uint8_t>(below(random, 256));
    });
    std::vector<std::int64_t> homes(static_cast<std::size_t>(pages - 1));
    std::iota(homes.begin(), homes.end(), std::int64_t{1});
    std::shuffle(homes.begin(), homes.end(), random);
    std::vector<std::int64_t> table(static_cast<std::size_t>(pages + 1), -1);
    const auto bound = pages / 2;
    table[0] = 0;
    p2v[0] = 0;
    for (std::int64_t vpage = 1; vpage <= bound; ++vpage) {
        const auto home = homes[static_cast<std::size_t>(vpage - 1)];
        table[static_cast<std::size_t>(vpage)] = home;
        p2v[static_cast<std::size_t>(home)] = vpage;
    }
    v2p = IndexBuffer(table, type);
    from.assign(homes.begin(), homes.begin() + moves);
    to.assign(homes.begin() + bound, homes.begin() + bound + moves);
}

kernels::CompactMoveCall MoveCase::move() {
    return {
        .from = from.data(),
        .to = to.data(),
        .count = static_cast<std::int64_t>(from.size()),
        .buffer = pool.data(),
        .page_bytes = page_bytes,
        .v2p = {v2p.bytes.data(), v2p.type, static_cast<std::int64_t>(p2v.size())},
        .p2v = p2v.data(),
    };
}

kernels::CompactMoveCall MoveCase::move_back() {
    auto call = move();
    std::swap(call.from, call.to);
    return call;
}

kernels::EnvelopeCopyCall MoveCase::gather() {
    return {
        .pages = from.data(),
        .count = static_cast<std::int64_t>(from.size()),
        .buffer = pool.data(),
        .page_bytes = page_bytes,
        .staging = staging.data(),
    };
}

kernels::EnvelopeCopyCall MoveCase::scatter() {
    auto call = gather();
    call.pages = to.data();
    call.is_gather = false;
    return call;
}

std::vector<std::uint8_t> MoveCase::contents(std::int64_t vpage) const {
    const auto home = v2p.values()[static_cast<std::size_t>(vpage)];
    const auto first = pool.begin() + home * page_bytes;
    return {first, first + page_bytes};
}

} // namespace kvprof::test
