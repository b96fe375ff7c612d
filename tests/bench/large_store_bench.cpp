// Makes a store of 10,000 runs in 700 experiments, each run with the rows that every pass leaves,
// and times what a verb asks of it. Usage: kvprof_large_store_bench FILE [RUNS]; a FILE that is
// there is measured as it is, and stays for a look with the program itself.

#include "db/selector.h"
#include "db/sql.h"
#include "db/store.h"
#include "tests/support/example_runs.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

namespace {

using namespace kvprof;

// A run of 200 traced steps of ten ops, as a device run with all passes leaves it.
constexpr std::int64_t kSamples = 49;
constexpr std::int64_t kSteps = 200;
constexpr std::int64_t kOps = 10;
constexpr std::int64_t kKernels = 15;
constexpr std::int64_t kEvents = 92;
constexpr std::int64_t kExperiments = 700;
constexpr std::int64_t kCalibrations = 20; ///< among them
constexpr std::int64_t kTags = 100;

template<typename T>
void repeat(std::vector<T>& rows, std::int64_t count) {
    const std::vector<T> pattern = rows;
    for (std::int64_t i = std::ssize(rows); i < count; ++i) {
        rows.push_back(pattern[static_cast<std::size_t>(i) % pattern.size()]);
    }
    rows.resize(static_cast<std::size_t>(count));
}

Run run_of_all_passes() {
    Run run = test::traced_run();
    repeat(run.kernels, kKernels);
    repeat(run.op_samples, kSteps * kOps);
    repeat(run.step_records, kSteps);
    repeat(run.events, kEvents);
    run.graph_spans.assign(kSteps, std::chrono::nanoseconds(812'345));
    repeat(run.samples, kSamples);
    for (std::int64_t i = 0; i < kSamples; ++i) {
        run.samples[static_cast<std::size_t>(i)].ordinal = i;
    }
    return run;
}

std::string numbered(char kind, std::int64_t number) {
    std::string digits = std::to_string(number);
    // The first digits differ, as those of random ones do.
    std::reverse(digits.begin(), digits.end());
    return digits + std::string(31 - digits.size(), '0') + kind;
}

Experiment experiment_of(std::int64_t number, std::int64_t runs, std::int64_t& next_run) {
    const bool is_calibration = number % (kExperiments / kCalibrations) == 0;
    Experiment experiment = test::filled_experiment();
    experiment.uuid = numbered('e', number);
    experiment.label = "line-" + std::to_string(number / 4);
    experiment.started_at = "2026-01-01T00:00:00Z";
    experiment.state = ExperimentState::complete;
    experiment.kind = is_calibration ? ExperimentKind::calibration : ExperimentKind::ab;
    if (is_calibration) {
        experiment.ab.reset();
    }
    experiment.runs.clear();
    for (std::int64_t i = 0; i < runs; ++i) {
        Run run = run_of_all_passes();
        run.uuid = numbered('a', next_run++);
        run.position = i;
        if (!is_calibration) {
            run.ab =
                AbPlace{.side = i % 2 == 0 ? AbSide::a : AbSide::b, .block = i / 4, .place = i % 4};
        }
        experiment.runs.push_back(std::move(run));
    }
    return experiment;
}

void make_store(const std::filesystem::path& path, std::int64_t runs) {
    db::Store store(path, db::OpenMode::create);
    std::int64_t next_run = 0;
    for (std::int64_t number = 0; number < kExperiments; ++number) {
        const std::int64_t end = runs * (number + 1) / kExperiments;
        // The last one, that of @latest, is an A/B experiment of 16 runs.
        const std::int64_t count = number + 1 == kExperiments ? 16 : end - next_run;
        store.add_experiment(experiment_of(number, count, next_run));
        if (number % (kExperiments / kTags) == 0) {
            store.tag("tag-" + std::to_string(number), numbered('e', number));
        }
    }
}

/// Prints the shortest of several times, and the processor time of it: the machine may do other
/// things too.
template<typename Call>
void time(const char* what, Call&& call) {
    constexpr int kRounds = 9;
    double shortest = 1e9;
    double busy = 1e9;
    for (int round = 0; round < kRounds; ++round) {
        const auto start = std::chrono::steady_clock::now();
        const std::clock_t busy_start = std::clock();
        call();
        const std::chrono::duration<double, std::milli> took =
            std::chrono::steady_clock::now() - start;
        shortest = std::min(shortest, took.count());
        const auto ticks = static_cast<double>(std::clock() - busy_start);
        busy = std::min(busy, ticks * 1e3 / double{CLOCKS_PER_SEC});
    }
    std::printf("%-40s %9.2f ms, busy %9.2f ms\n", what, shortest, busy);
}

void measure(const std::filesystem::path& path) {
    const auto open = [&] { return db::Store(path, db::OpenMode::read); };
    time("open and close", [&] { open(); });
    time("list_experiments()", [&] { std::ignore = open().list_experiments(); });
    time("load_experiment(), 16 runs", [&] {
        const db::Store store = open();
        std::ignore = store.load_experiment(db::resolve(store, "@latest").experiment);
    });
    const std::string middle = "line-" + std::to_string(kExperiments / 8);
    for (const std::string& reference :
         {std::string("@latest"),
          std::string("@latest~300"),
          middle,
          std::string("tag-70"),
          std::string("@latest/side=b")}) {
        time(("select(), " + reference).c_str(), [&] {
            std::ignore = db::select(path, reference);
        });
    }
    time("list_runs()", [&] { std::ignore = open().list_runs(numbered('e', kExperiments - 1)); });
    time("tags(), baselines()", [&] {
        const db::Store store = open();
        std::ignore = store.tags();
        std::ignore = store.baselines();
    });
    time("load all calibrations", [&] {
        const db::Store store = open();
        for (const auto& stored : store.list_experiments(ExperimentKind::calibration)) {
            std::ignore = store.load_experiment(stored.uuid);
        }
    });
    const StepSpec step = test::traced_run().step;
    time("calibrations_of()", [&] { std::ignore = open().calibrations_of(step); });
    time("list_experiments(calibration)", [&] {
        std::ignore = open().list_experiments(ExperimentKind::calibration);
    });
    time("sql: count(*) of all runs by state", [&] {
        db::SqlQuery query(path, "SELECT state, count(*) FROM run GROUP BY state");
        db::SqlRow row;
        while (query.next(row)) {
        }
    });
}

} // namespace

int main(int count, char** words) {
    if (count < 2) {
        std::fputs("usage: kvprof_large_store_bench FILE [RUNS]\n", stderr);
        return 2;
    }
    constexpr std::int64_t kRuns = 10'000;
    const std::filesystem::path path = words[1];
    if (!std::filesystem::exists(path)) {
        make_store(path, count > 2 ? std::atoll(words[2]) : kRuns);
    }
    measure(path);
    return 0;
}
