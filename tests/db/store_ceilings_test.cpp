#include "db/bundle.h"
#include "db/merge.h"
#include "db/store.h"
#include "tests/db/store_file.h"
#include "tests/support/example_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace kvprof::db {
namespace {

using test::filled_experiment;
using test::uuid_of;

Ceilings ceilings_of(std::string measured_at, double node_ns) {
    return {
        .device_uuid = "GPU-1234",
        .driver = "580.1",
        .measured_at = std::move(measured_at),
        .node_ns = node_ns,
        .copies = {
            {CeilingKind::l2, Bytes{2 << 20}, 2.66e12},
            {CeilingKind::l2, Bytes{8 << 20}, 5.16e12},
            {CeilingKind::hbm, Bytes{256 << 20}, 1.0 / 3.0}}};
}

/// With what the run of a device has beside a filled one.
kvprof::Run roofed_run(char digit, const Ceilings& ceilings) {
    kvprof::Run run = test::filled_run();
    run.uuid = uuid_of(digit);
    run.ops.at(1).least_bytes = Bytes{6'316'032};
    run.ceilings = ceilings;
    return run;
}

TEST(StoreCeilings, GoWithTheRun) {
    const test::StoreFolder folder;
    Store store(folder.file(), OpenMode::create);
    store.add_experiment(filled_experiment());
    const kvprof::Run run = roofed_run('c', ceilings_of("2026-01-02T03:04:05Z", 740.5));
    const auto& [kind, copied, rate] = run.ceilings->copies.at(0); // each list names every member
    EXPECT_TRUE(kind != CeilingKind{} && copied.count != 0 && rate != 0.0);
    const auto& [device, driver, at, node, copies] = *run.ceilings;
    EXPECT_TRUE(!device.empty() && !driver.empty() && !at.empty() && node != 0.0);
    store.add_run(uuid_of('e'), run);
    EXPECT_EQ(store.load_runs({uuid_of('c')}).front(), run);
    EXPECT_FALSE(store.load_runs({uuid_of('a')}).front().ceilings);
}

TEST(StoreCeilings, LeaveOutFiguresThatCanBeNone) {
    const test::StoreFolder folder;
    Store store(folder.file(), OpenMode::create);
    Ceilings broken = ceilings_of("2026-01-01T00:00:00Z", -1.0);
    const CopyCeiling good = broken.copies.at(0);
    broken.copies.at(1).bytes_per_s = std::numeric_limits<double>::infinity();
    broken.copies.at(2).bytes_per_s = 0.0;
    broken.copies.push_back({CeilingKind::hbm, Bytes{0}, 1e12});
    store.add_ceilings(broken);
    const Ceilings read = store.ceilings().at(0);
    EXPECT_EQ(read.node_ns, 0.0);
    EXPECT_THAT(read.copies, testing::ElementsAre(good));
}

TEST(StoreCeilings, OfADeviceAreThoseMeasuredLast) {
    const test::StoreFolder folder;
    Store store(folder.file(), OpenMode::create);
    EXPECT_THAT(store.ceilings(), testing::IsEmpty());
    const Ceilings second = ceilings_of("2026-01-02T00:00:00Z", 2.0);
    store.add_ceilings(second);
    store.add_ceilings(ceilings_of("2026-01-01T00:00:00Z", 1.0));
    EXPECT_THAT(store.ceilings(), testing::ElementsAre(second));
    const Ceilings third = ceilings_of("2026-01-03T00:00:00Z", 3.0);
    store.add_experiment(filled_experiment());
    store.add_run(uuid_of('e'), roofed_run('c', third));
    store.add_run(uuid_of('e'), roofed_run('d', third)); // two runs carry one measurement
    EXPECT_THAT(store.ceilings(), testing::ElementsAre(third));
    Ceilings other = ceilings_of("2025-12-31T00:00:00Z", 9.0);
    other.driver = "590.0";
    store.add_ceilings(other);
    EXPECT_THAT(store.ceilings(), testing::ElementsAre(third, other));
}

TEST(StoreCeilings, AreRemovedAndReplacedWithTheirRun) {
    const test::StoreFolder folder;
    Store store(folder.file(), OpenMode::create);
    store.add_experiment(filled_experiment());
    kvprof::Run run = roofed_run('c', ceilings_of("2026-01-02T00:00:00Z", 2.0));
    store.add_run(uuid_of('e'), run);
    run.ceilings->node_ns = 3.0;
    store.replace_run(uuid_of('e'), run);
    EXPECT_EQ(store.load_runs({uuid_of('c')}).front(), run);
    store.remove(uuid_of('c'));
    EXPECT_THAT(store.ceilings(), testing::IsEmpty());
}

TEST(StoreCeilings, AreMergedWithTheirRun) {
    const test::StoreFolder folder;
    Store from(folder.file("from.db"), OpenMode::create);
    Store into(folder.file("into.db"), OpenMode::create);
    const kvprof::Run run = roofed_run('c', ceilings_of("2026-01-02T00:00:00Z", 2.0));
    from.add_experiment(filled_experiment());
    from.add_run(uuid_of('e'), run);
    EXPECT_EQ(merge(into, from).runs.added, 3);
    EXPECT_EQ(into.load_runs({uuid_of('c')}).front(), run);
    EXPECT_EQ(merge(into, from).runs.known, 3); // the same rows
}

} // namespace
} // namespace kvprof::db
