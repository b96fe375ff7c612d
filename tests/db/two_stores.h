#pragma once

#include "db/merge.h"
#include "db/store.h"
#include "tests/db/store_file.h"
#include "tests/support/example_runs.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace kvprof::test {

/// An experiment with runs of these digits, `e` its own; each run differs from the others and has
/// everything that a run can hold.
inline Experiment experiment_of(char digit, const std::string& run_digits) {
    Experiment experiment = filled_experiment();
    experiment.uuid = uuid_of(digit);
    experiment.state = ExperimentState::complete;
    experiment.runs.clear();
    std::int64_t position = 0;
    for (const char run_digit : run_digits) {
        Run run = position % 2 == 0 ? traced_run() : filled_run();
        run.uuid = uuid_of(run_digit);
        run.position = position++;
        run.process_id = run_digit;
        experiment.runs.push_back(std::move(run));
    }
    return experiment;
}

/// All that a store holds, to compare stores by.
struct StoreContent {
    std::vector<Experiment> experiments; ///< newest first, runs with their events
    std::vector<db::Tag> tags;
    std::vector<db::Baseline> baselines;

    friend bool operator==(const StoreContent&, const StoreContent&) = default;
};

inline StoreContent content_of(const std::filesystem::path& path) {
    const db::Store store(path, db::OpenMode::read);
    StoreContent content{{}, store.tags(), store.baselines()};
    for (const db::ExperimentSummary& stored : store.list_experiments()) {
        content.experiments.push_back(store.load_experiment(stored.uuid));
        for (Run& run : content.experiments.back().runs) {
            run.events = store.load_events(run.uuid);
        }
    }
    return content;
}

/// A new store of these experiments.
inline void
make_store(const std::filesystem::path& path, const std::vector<Experiment>& experiments) {
    db::Store store(path, db::OpenMode::create);
    for (const Experiment& experiment : experiments) {
        store.add_experiment(experiment);
    }
}

/// Two stores of which one takes what the other holds.
class TwoStores : public testing::Test {
  protected:
    StoreFolder folder_;
    std::filesystem::path here_ = folder_.file("here.db");
    std::filesystem::path other_ = folder_.file("other.db");

    db::MergeResult take() {
        db::Store into(here_, db::OpenMode::create);
        return db::merge(into, db::Store(other_, db::OpenMode::read));
    }
};

} // namespace kvprof::test
