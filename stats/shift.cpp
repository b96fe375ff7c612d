#include "stats/shift.h"

#include "stats/median.h"
#include "stats/rank_test.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace kvprof::stats {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Finite doubles and integers in the same order, neighbours next to each other, both zeros at 0.
std::int64_t place_of(double value) {
    const auto bits = std::bit_cast<std::int64_t>(value);
    return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - bits;
}

double value_at(std::int64_t place) {
    return std::bit_cast<double>(
        place >= 0 ? place : std::numeric_limits<std::int64_t>::min() - place
    );
}

/// Order statistics of combinations of sorted values that are never written down: `count(x)` says
/// how many do not exceed x, in time linear in the values. At most 64 counts find one.
template<class Count>
class Combinations {
  public:
    Combinations(Count count, std::size_t size, double least, double greatest)
        : count_(std::move(count)),
          size_(size),
          least_(least),
          greatest_(greatest) {}

    /// The k-th smallest. @pre 1 <= k <= size
    double smallest(std::size_t k) const {
        std::int64_t low = place_of(least_);
        std::int64_t high = place_of(greatest_);
        while (low < high) {
            const std::int64_t middle = std::midpoint(low, high); // rounds towards low
            if (count_(value_at(middle)) >= k) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return value_at(low);
    }

    double median() const {
        const double upper = smallest(size_ / 2 + 1);
        return size_ % 2 == 1 ? upper : (smallest(size_ / 2) + upper) / 2.0;
    }

    Shift shift(const Cut& cut) const {
        Shift found{.estimate = median(), .low = -kInfinity, .high = kInfinity};
        if (cut.c > 0) {
            found.low = smallest(cut.c);
            found.high = smallest(size_ + 1 - cut.c);
            found.level = cut.level;
        }
        return found;
    }

  private:
    Count count_;
    std::size_t size_;
    double least_;
    double greatest_;
};

std::vector<double> sorted(std::span<const double> values) {
    std::vector<double> copy(values.begin(), values.end());
    std::sort(copy.begin(), copy.end());
    return copy;
}

/// All differences b_j - a_i. @pre both are sorted
auto differences_of(std::span<const double> a, std::span<const double> b) {
    const auto count = [a, b](double x) {
        // Rounding keeps the order: a difference falls with a and rises with b.
        std::size_t total = 0;
        std::size_t fitting = 0; // of b, with the a at hand
        for (const double subtracted : a) {
            while (fitting < b.size() && b[fitting] - subtracted <= x) {
                ++fitting;
            }
            total += fitting;
        }
        return total;
    };
    return Combinations(count, a.size() * b.size(), b.front() - a.back(), b.back() - a.front());
}

/// All means of two values or of one with itself. @pre sorted
auto walsh_averages_of(std::span<const double> values) {
    const auto count = [values](double x) {
        std::size_t total = 0;
        std::size_t fitting = values.size(); // partners of the first, fewer of each later one
        for (std::size_t i = 0; i < fitting; ++i) {
            while (fitting > i && (values[i] + values[fitting - 1]) / 2.0 > x) {
                --fitting;
            }
            total += fitting > i ? fitting - i : 0;
        }
        return total;
    };
    return Combinations(
        count, values.size() * (values.size() + 1) / 2, values.front(), values.back()
    );
}

} // namespace

double median_difference(std::span<const double> a, std::span<const double> b) {
    assert(!a.empty() && !b.empty());
    constexpr std::size_t kFew = 1024; // so few are written down and selected from in less time
    if (a.size() * b.size() <= kFew) {
        std::vector<double> differences;
        differences.reserve(a.size() * b.size());
        for (const double subtracted : a) {
            for (const double value : b) {
                differences.push_back(value - subtracted);
            }
        }
        return stats::median(std::move(differences));
    }
    const std::vector<double> base = sorted(a);
    const std::vector<double> candidate = sorted(b);
    return differences_of(base, candidate).median();
}

Shift shift_between(std::span<const double> a, std::span<const double> b, double alpha) {
    assert(!a.empty() && !b.empty());
    const std::vector<double> base = sorted(a);
    const std::vector<double> candidate = sorted(b);
    return differences_of(base, candidate).shift(rank_sum_cut(a.size(), b.size(), alpha));
}

Shift shift_of_pairs(std::span<const double> differences, double alpha) {
    assert(!differences.empty());
    const std::vector<double> ordered = sorted(differences);
    return walsh_averages_of(ordered).shift(signed_rank_cut(differences.size(), alpha));
}

} // namespace kvprof::stats
