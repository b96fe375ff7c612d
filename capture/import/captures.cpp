#include "capture/import/captures.h"

#include "capture/import/ranks.h"
#include "capture/model/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>
#include <string_view>
#include <utility>

namespace kvprof::import {

namespace {

// "-TP-0-DP-0-EP-0", "_TP0", "_rank3", "rank-3", and not "tp4", which says how many there are
const std::regex& rank_pattern() {
    static const std::regex pattern("(^|[-_. ]+)(TP|DP|PP|EP|[Rr]ank|RANK)[-_]?([0-9]+)");
    return pattern;
}

constexpr std::array<std::string_view, 6> kEndings{
    ".gz", ".json", ".trace", ".pt", ".sqlite", ".db"};

void drop_endings(std::string& name) {
    bool has_dropped = true;
    while (has_dropped) {
        has_dropped = false;
        for (const std::string_view ending : kEndings) {
            if (name.size() > ending.size() && name.ends_with(ending)) {
                name.resize(name.size() - ending.size());
                has_dropped = true;
            }
        }
    }
}

const std::string& rank_of(const FileProfile& file) {
    static const std::string kNone;
    return file.profile.ranks.size() == 1 ? file.profile.ranks.front().rank : kNone;
}

bool are_ranks_of_one(const std::vector<FileProfile>& profiles) {
    std::set<std::string> ranks;
    for (const FileProfile& file : profiles) {
        if (rank_of(file).empty() || !ranks.insert(rank_of(file)).second) {
            return false;
        }
    }
    return profiles.size() > 1;
}

/// A file without a rank is no rank of others, whatever its name: it is a capture of its own.
std::vector<Capture>
with_ranks(const std::vector<Capture>& by_stem, const std::vector<FileProfile>& profiles) {
    std::vector<Capture> captures;
    for (const Capture& one : by_stem) {
        const bool is_whole = std::none_of(one.files.begin(), one.files.end(), [&](std::size_t at) {
            return rank_of(profiles[at]).empty();
        });
        if (is_whole) {
            captures.push_back(one);
            continue;
        }
        for (const std::size_t file : one.files) {
            captures.push_back({one.name, {file}});
        }
    }
    return captures;
}

} // namespace

std::string stem_of(const std::filesystem::path& file) {
    std::string name = file.filename().string();
    drop_endings(name);
    static const std::regex moment("[-_. ]*[0-9]{10,}"); // a clock's reading
    std::string stem = std::regex_replace(name, rank_pattern(), "");
    stem = std::regex_replace(stem, moment, "");
    return stem.empty() ? name : stem;
}

std::string rank_in(std::string_view name) {
    const std::string text(name);
    std::string label;
    const auto end = std::sregex_iterator();
    for (auto at = std::sregex_iterator(text.begin(), text.end(), rank_pattern()); at != end;
         ++at) {
        const std::string axis = (*at)[2];
        label += label.empty() ? "" : "-";
        label += axis.size() == 2 ? axis : "";
        label += (*at)[3];
    }
    return label;
}

std::vector<Capture> captures_of(
    const std::vector<std::filesystem::path>& files,
    const std::vector<FileProfile>& profiles,
    bool is_one_side
) {
    std::vector<Capture> captures;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::string stem = stem_of(files[i]);
        const auto same = std::find_if(captures.begin(), captures.end(), [&](const Capture& one) {
            return one.name == stem;
        });
        if (same == captures.end()) {
            captures.push_back({stem, {i}});
        } else {
            same->files.push_back(i);
        }
    }
    if (is_one_side && captures.size() == files.size() && are_ranks_of_one(profiles)) {
        Capture whole{captures.front().name, {}};
        for (std::size_t i = 0; i < files.size(); ++i) {
            whole.files.push_back(i);
        }
        captures = {std::move(whole)};
    }
    captures = with_ranks(captures, profiles);
    for (Capture& capture : captures) {
        std::stable_sort(
            capture.files.begin(),
            capture.files.end(),
            [&](std::size_t a, std::size_t b) {
                return rank_comes_before(rank_of(profiles[a]), rank_of(profiles[b]));
            }
        );
    }
    return captures;
}

} // namespace kvprof::import
