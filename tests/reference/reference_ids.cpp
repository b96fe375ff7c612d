#include "tests/reference/reference_ids.h"

#include <optional>

namespace kvprof::reference {
namespace {

std::size_t at(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

/// Where a virtual page sits; nothing for a tombstone and for a page that the table lacks.
std::optional<std::int64_t> home_of(const Ids& v2p, std::int64_t vpage) {
    if (at(vpage) >= v2p.size() || v2p[at(vpage)] == -1) {
        return std::nullopt;
    }
    return v2p[at(vpage)];
}

/// What attention sees as the page of the token at `position`.
std::int64_t entry_at(const ReadInputs& in, std::size_t lane, std::int64_t position) {
    const std::int64_t page = position / in.page_size;
    const std::int64_t token = in.req_to_token[at(in.rows[lane])][at(page * in.page_size)];
    const std::int64_t vpage = token == -1 ? 0 : token / in.page_size;
    const auto home = home_of(in.v2p, vpage);
    return home ? *home * in.mult : 0;
}

std::int64_t start_of(const Ids& starts, std::size_t lane) {
    return starts.empty() ? 0 : starts[lane];
}

} // namespace

std::vector<Ids> page_table(const ReadInputs& in, std::int64_t width) {
    std::vector<Ids> table(in.rows.size());
    for (std::size_t lane = 0; lane < in.rows.size(); ++lane) {
        for (std::int64_t first = 0; first < in.lens[lane]; first += in.page_size) {
            if (static_cast<std::int64_t>(table[lane].size()) < width) {
                table[lane].push_back(entry_at(in, lane, first));
            }
        }
    }
    return table;
}

Ids token_stream(const ReadInputs& in, const Ids& starts) {
    Ids stream;
    for (std::size_t lane = 0; lane < in.rows.size(); ++lane) {
        const auto start = start_of(starts, lane);
        for (std::int64_t position = start; position < start + in.lens[lane]; ++position) {
            const auto offset = position % in.page_size;
            stream.push_back(entry_at(in, lane, position) * in.page_size + offset);
        }
    }
    return stream;
}

Ids repack(
    const std::vector<Ids>& table, const Ids& lens, const Ids& starts, std::int64_t page_size
) {
    Ids stream;
    for (std::size_t lane = 0; lane < lens.size(); ++lane) {
        const auto start = start_of(starts, lane);
        for (std::int64_t position = start; position < start + lens[lane]; ++position) {
            const auto entry = table[lane][at(position / page_size)];
            stream.push_back(entry * page_size + position % page_size);
        }
    }
    return stream;
}

Ids static_gather(const ReadInputs& in, const Ids& starts) {
    Ids stream;
    for (std::size_t lane = 0; lane < in.rows.size(); ++lane) {
        const auto start = start_of(starts, lane);
        for (std::int64_t position = start; position < start + in.lens[lane]; ++position) {
            stream.push_back(in.req_to_token[at(in.rows[lane])][at(position)]);
        }
    }
    return stream;
}

std::vector<Ids> static_block_table(const ReadInputs& in, std::int64_t width) {
    std::vector<Ids> table(in.rows.size());
    for (std::size_t lane = 0; lane < in.rows.size(); ++lane) {
        for (std::int64_t first = 0; first < in.lens[lane]; first += in.page_size) {
            if (static_cast<std::int64_t>(table[lane].size()) < width) {
                const auto token = in.req_to_token[at(in.rows[lane])][at(first)];
                table[lane].push_back(token == -1 ? 0 : token / in.page_size);
            }
        }
    }
    return table;
}

Ids indptr(const Ids& lens) {
    Ids starts{0};
    for (const auto length : lens) {
        starts.push_back(starts.back() + length);
    }
    return starts;
}

Ids write_locations(const Ids& loc, const Ids& v2p, const WriteRule& rule) {
    Ids out;
    for (const auto widened : loc) {
        out.push_back(0);
        if (widened < 0 || widened % rule.dcp != rule.rank) {
            continue;
        }
        const auto token = widened / rule.dcp;
        if (const auto home = home_of(v2p, token / rule.page_size)) {
            out.back() = *home * rule.page_size * rule.mult + token % rule.page_size;
        }
    }
    return out;
}

void PageTables::bind(const Ids& vpages, const Ids& ppages) {
    for (std::size_t i = 0; i < vpages.size(); ++i) {
        v2p[at(vpages[i])] = ppages[i];
        p2v[at(ppages[i])] = vpages[i];
    }
}

Ids PageTables::alloc_bind(const Ids& vpages, std::int64_t start) {
    Ids ppages;
    for (std::size_t i = 0; i < vpages.size(); ++i) {
        ppages.push_back(start + static_cast<std::int64_t>(i));
    }
    bind(vpages, ppages);
    return ppages;
}

Ids PageTables::free_unbind(const Ids& vpages) {
    Ids ppages;
    for (const auto vpage : vpages) {
        const auto home = home_of(v2p, vpage);
        ppages.push_back(home.value_or(-1));
        v2p[at(vpage)] = -1;
        if (home) {
            p2v[at(*home)] = -1;
        }
    }
    return ppages;
}

Ids alloc_decode(
    const Ids& lens, const Ids& last_loc, const Ids& free_pages, std::int64_t page_size
) {
    Ids ids;
    auto next_page = free_pages.begin();
    for (std::size_t lane = 0; lane < lens.size(); ++lane) {
        // The token before the new one filled its page exactly (or there was none).
        const bool opens = lens[lane] >= 1 && (lens[lane] - 1) % page_size == 0;
        ids.push_back(opens ? *next_page++ * page_size : last_loc[lane] + 1);
    }
    return ids;
}

} // namespace kvprof::reference
