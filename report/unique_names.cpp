#include "report/unique_names.h"

#include <cstddef>
#include <unordered_set>

namespace kvprof::report {

std::vector<std::string> unique_names(std::vector<std::string> names) {
    std::unordered_set<std::string> known;
    for (std::string& name : names) {
        const std::string given = name;
        for (std::size_t i = 2; !known.insert(name).second; ++i) {
            name = given + "#" + std::to_string(i);
        }
    }
    return names;
}

} // namespace kvprof::report
