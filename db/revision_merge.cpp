#include "db/revision_merge.h"

#include "db/connection.h"
#include "db/store_rows.h"

#include <algorithm>
#include <map>
#include <set>

namespace kvprof::db {

namespace {

/// One revision on its way into the order of its name.
struct Placed {
    Baseline baseline;
    bool is_fresh = false;
};

using Revisions = std::vector<Placed>; ///< of one name, the oldest first

void place(Revisions& revisions, const Baseline& fresh) {
    const auto before = std::find_if(revisions.rbegin(), revisions.rend(), [&](const Placed& one) {
        return one.baseline.set_at <= fresh.set_at; // ISO 8601, UTC: in the order of time
    });
    revisions.insert(before.base(), {fresh, true});
}

/// Gives every stored revision of the name its new number.
void renumber(Connection& connection, const Revisions& revisions) {
    // By way of negative ones: two rows of a name never have one number.
    Query away(connection, "UPDATE baseline SET revision = -? WHERE name = ? AND revision = ?");
    std::int64_t number = 0;
    for (const auto& [baseline, is_fresh] : revisions) {
        ++number;
        if (!is_fresh) {
            away.with(number, baseline.name, baseline.revision).run();
        }
    }
    Query(connection, "UPDATE baseline SET revision = -revision WHERE revision < 0").run();
}

} // namespace

bool holds(const std::vector<Baseline>& stored, const Baseline& revision) {
    const std::set<std::string> runs(revision.runs.begin(), revision.runs.end());
    return std::any_of(stored.begin(), stored.end(), [&](const Baseline& other) {
        if (other.name != revision.name || other.set_at != revision.set_at) {
            return false;
        }
        const std::set<std::string> others(other.runs.begin(), other.runs.end());
        const bool is_told_alike =
            other.author == revision.author && other.reason == revision.reason;
        return runs == others
               || (is_told_alike
                   && (std::includes(runs.begin(), runs.end(), others.begin(), others.end())
                       || std::includes(others.begin(), others.end(), runs.begin(), runs.end())));
    });
}

void add_revisions(
    Connection& connection, const std::vector<Baseline>& stored, const std::vector<Baseline>& fresh
) {
    std::map<std::string, Revisions> names;
    for (const Baseline& baseline : fresh) {
        names[baseline.name];
    }
    // Both lists have the newest revision first.
    for (auto one = stored.rbegin(); one != stored.rend(); ++one) {
        if (const auto name = names.find(one->name); name != names.end()) {
            name->second.push_back({*one, false});
        }
    }
    for (auto one = fresh.rbegin(); one != fresh.rend(); ++one) {
        place(names[one->name], *one);
    }
    for (const auto& [name, revisions] : names) {
        renumber(connection, revisions);
        std::int64_t number = 0;
        for (const auto& [baseline, is_fresh] : revisions) {
            ++number;
            if (is_fresh) {
                write_baseline(connection, baseline, number);
            }
        }
    }
}

} // namespace kvprof::db
