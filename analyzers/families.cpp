#include "analyzers/families.h"

#include "stats/multiplicity.h"

#include <cstddef>

namespace kvprof::analyzers {

namespace {

template<typename Adjust>
void adjust(const Family& family, Adjust&& adjusted_of) {
    std::vector<double> p;
    for (const SampledTest* test : family) {
        p.push_back(test->p);
    }
    const std::vector<double> adjusted = adjusted_of(p);
    for (std::size_t i = 0; i < family.size(); ++i) {
        family[i]->p_adjusted = adjusted[i];
        family[i]->tests = family.size();
    }
}

} // namespace

void adjust_for_any(const Family& family) {
    adjust(family, [](const std::vector<double>& p) { return stats::holm(p); });
}

void adjust_for_share(const Family& family) {
    adjust(family, [](const std::vector<double>& p) { return stats::benjamini_hochberg(p); });
}

} // namespace kvprof::analyzers
