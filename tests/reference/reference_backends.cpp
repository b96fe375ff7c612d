#include "tests/reference/reference_backends.h"

namespace kvprof::reference {
namespace {

std::size_t at(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

/// The places of a page lie together, so a token without one has the sink's page.
std::int64_t place_of(const WindowMap& map, std::int64_t token) {
    const bool is_known = token >= 0 && at(token) < map.size();
    return is_known && map[at(token)] > 0 ? map[at(token)] : 0;
}

std::int64_t start_of(const Ids& starts, std::size_t lane) {
    return starts.empty() ? 0 : starts[lane];
}

} // namespace

Ids window_ids(const Ids& tokens, const WindowMap& map) {
    Ids ids;
    for (const auto token : tokens) {
        ids.push_back(place_of(map, token));
    }
    return ids;
}

std::vector<Ids>
window_block_table(const ReadInputs& read, const WindowMap& map, std::int64_t width) {
    std::vector<Ids> table(read.rows.size());
    for (std::size_t lane = 0; lane < read.rows.size(); ++lane) {
        const Ids& tokens = read.req_to_token[at(read.rows[lane])];
        for (std::int64_t column = 0; column < width; ++column) {
            if (column * read.page_size < read.lens[lane]) {
                const auto place = place_of(map, tokens[at(column * read.page_size)]);
                table[lane].push_back(place / read.page_size);
            }
        }
    }
    return table;
}

Metadata metadata(const Ids& lens, std::int64_t delta, std::int64_t q_len) {
    Metadata out;
    out.cu_seqlens_k.push_back(0);
    out.cu_seqlens_q.push_back(0);
    for (const auto length : lens) {
        out.cache_seqlens.push_back(length + delta);
        out.cu_seqlens_k.push_back(out.cu_seqlens_k.back() + length + delta);
        out.cu_seqlens_q.push_back(out.cu_seqlens_q.back() + q_len);
    }
    return out;
}

Ids window_locations(const Ids& loc, const WindowMap& map, std::int64_t out_count) {
    Ids out(at(out_count), 0);
    for (std::size_t i = 0; i < out.size() && i < loc.size(); ++i) {
        if (loc[i] < 0) {
            out[i] = -1;
        } else if (at(loc[i]) < map.size()) {
            out[i] = map[at(loc[i])];
        }
    }
    return out;
}

Ids local_lens(const Ids& lens, const Ids& starts, const Rank& rank) {
    Ids local(lens.size(), 0);
    for (std::size_t lane = 0; lane < lens.size(); ++lane) {
        const auto start = start_of(starts, lane);
        for (std::int64_t position = start; position < start + lens[lane]; ++position) {
            local[lane] += position % rank.dcp == rank.rank ? 1 : 0;
        }
    }
    return local;
}

Ids dcp_stream(const ReadInputs& read, const Ids& starts, const Rank& rank) {
    Ids stream;
    for (std::size_t lane = 0; lane < read.rows.size(); ++lane) {
        const auto start = start_of(starts, lane);
        for (std::int64_t position = start; position < start + read.lens[lane]; ++position) {
            if (position % rank.dcp == rank.rank) {
                const auto widened = read.req_to_token[at(read.rows[lane])][at(position)];
                stream.push_back(widened == -1 ? -1 : widened / rank.dcp);
            }
        }
    }
    return stream;
}

Ids state_slots(const Ids& req_to_state, const Ids& rows, const Ids& v2p) {
    Ids slots;
    for (const auto row : rows) {
        const auto slot = req_to_state[at(row)];
        if (v2p.empty()) {
            slots.push_back(slot);
        } else {
            const bool is_known = slot >= 0 && at(slot) < v2p.size();
            slots.push_back(is_known ? v2p[at(slot)] : -1);
        }
    }
    return slots;
}

} // namespace kvprof::reference
