#!/usr/bin/env python3
"""Writes tests/data/stats/rank_cases.txt: random samples with the p of scipy, or with --check compares.

    make_rank_cases.py [--check]

It needs numpy and scipy (1.10), which neither the build nor the tests do: run it by hand. Where samples
have ties scipy has no exact p, and all splits (or all signs) are counted here instead.

A line is TEST P ESTIMATE N_A N_B VALUES...: of `rank_sum` the values of a, then those of b, and the
estimate is the median of all b - a. Of `signed_rank` N_A differences, N_B is 0, and the estimate is the
median of all Walsh averages.
"""
import itertools
import pathlib
import random
import sys

import numpy
from scipy import stats

FILE = pathlib.Path(__file__).resolve().parents[1] / "data" / "stats" / "rank_cases.txt"
CASES = 300
MOST = 10  # values a side


def doubled_ranks(values):
    return [round(2 * rank) for rank in stats.rankdata(values)]


def rank_sum_p(a, b):
    if len(set(a + b)) == len(a + b):
        return stats.mannwhitneyu(a, b, alternative="two-sided", method="exact").pvalue
    ranks = doubled_ranks(a + b)
    mean = len(a) * (len(a) + len(b) + 1)
    wanted = abs(sum(ranks[: len(a)]) - mean)
    sums = numpy.fromiter((sum(part) for part in itertools.combinations(ranks, len(a))), int)
    return numpy.count_nonzero(abs(sums - mean) >= wanted) / len(sums)


def signed_rank_p(differences):
    kept = [value for value in differences if value != 0]
    sizes = [abs(value) for value in kept]
    if len(kept) == len(differences) and len(set(sizes)) == len(sizes):
        return stats.wilcoxon(differences, mode="exact").pvalue
    ranks = doubled_ranks(sizes) if kept else []
    wanted = abs(sum(rank if value > 0 else -rank for rank, value in zip(ranks, kept)))
    sums = [
        sum(rank * sign for rank, sign in zip(ranks, signs))
        for signs in itertools.product((-1, 1), repeat=len(kept))
    ]
    return sum(abs(total) >= wanted for total in sums) / len(sums)


def draw(source, count, has_ties, shift):
    if has_ties:
        return [source.randrange(8) / 2 + shift for _ in range(count)]
    return [round(source.gauss(shift, 1), 6) for _ in range(count)]


def line_of(number, source):
    has_ties = number % 2 == 1
    shift = source.choice([0, 0, 0.5, 1.5])
    if number % 3 == 2:
        test, b = "signed_rank", []
        a = draw(source, source.randint(1, MOST), has_ties, shift - 2 * has_ties)
        p = signed_rank_p(a)
        estimates = [(x + y) / 2 for x, y in itertools.combinations_with_replacement(a, 2)]
    else:
        test = "rank_sum"
        a = draw(source, source.randint(1, MOST), has_ties, 0)
        b = draw(source, source.randint(1, MOST), has_ties, shift)
        p = rank_sum_p(a, b)
        estimates = [y - x for x in a for y in b]
    numbers = [float(p), float(numpy.median(estimates)), len(a), len(b), *a, *b]
    return " ".join([test, *map(repr, numbers)])


def main():
    source = random.Random(1)
    text = "".join(line_of(number, source) + "\n" for number in range(CASES))
    if sys.argv[1:] == ["--check"]:
        if FILE.read_text() != text:
            sys.exit(f"{FILE.name} is not what {pathlib.Path(__file__).name} writes")
        print(f"{FILE.name} is up to date")
    else:
        FILE.parent.mkdir(parents=True, exist_ok=True)
        FILE.write_text(text)


if __name__ == "__main__":
    main()
