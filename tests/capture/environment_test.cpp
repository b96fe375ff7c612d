#include "capture/container.h"
#include "capture/git_revision.h"
#include "capture/machine_facts.h"
#include "capture/model/error.h"
#include "tests/capture/fake_nvml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kvprof {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

TEST(Container, IsNoneWithoutTraces) {
    EXPECT_EQ(container_in({}), "none");
    EXPECT_EQ(container_in({.control_groups = "0::/user.slice\n", .mounts = {}}), "none");
}

TEST(Container, IsNamedByWhatItsRuntimeLeaves) {
    EXPECT_EQ(container_in({.has_docker_file = true}), "docker");
    EXPECT_EQ(container_in({.has_container_file = true}), "podman");
    EXPECT_EQ(container_in({.variable = "systemd-nspawn"}), "systemd-nspawn");
    EXPECT_EQ(container_in({.control_groups = "0::/system.slice/docker-ab.scope"}), "docker");
    EXPECT_EQ(container_in({.control_groups = "0::/machine.slice/libpod-ab.scope"}), "podman");
    EXPECT_EQ(container_in({.control_groups = "1:cpu:/lxc/box"}), "lxc");
    EXPECT_EQ(
        container_in(
            {.mounts = "9 8 0:1 /var/lib/docker/containers/ab/hostname /etc/hostname rw - ext4\n"}
        ),
        "docker"
    );
}

TEST(Container, IsKubernetesWhateverRunsItsPods) {
    EXPECT_EQ(container_in({.has_docker_file = true, .has_kubernetes = true}), "kubernetes");
    EXPECT_EQ(container_in({.control_groups = "0::/kubepods/ab/containerd"}), "kubernetes");
}

TEST(Container, IsNotTheMachineThatRunsContainers) {
    EXPECT_EQ(
        container_in({.mounts = "9 8 0:1 / /var/lib/docker/overlay2/ab/merged rw - overlay\n"}),
        "none"
    );
}

TEST(Variables, AreThoseThatChangeWhatRunsInAFixedOrder) {
    EXPECT_EQ(
        variables_in(
            {"PATH=/bin",
             "KVPROF_CUPTI=/a.so",
             "LD_PRELOAD=a.so",
             "CUDA_MODULE_LOADING=EAGER",
             "KVPROF_A=1",
             "CUDA_VISIBLE_DEVICES=0"}
        ),
        "CUDA_VISIBLE_DEVICES=0 CUDA_MODULE_LOADING=EAGER LD_PRELOAD=a.so KVPROF_A=1 "
        "KVPROF_CUPTI=/a.so"
    );
}

TEST(Variables, LeaveOutWhereRunsAreStoredAndLongerNames) {
    EXPECT_THAT(variables_in({"KVPROF_DB=/a.db", "LD_PRELOAD_2=a", "MY_LD_PRELOAD=a"}), IsEmpty());
}

TEST(Variables, OfThisProcessAreRead) {
    EXPECT_THAT(process_variables(), Contains(StartsWith("PATH=")));
}

/// The revision when git ends like this.
std::string revision_after(int code, const std::string& output) {
    return git_revision([&](const experiment::ChildCommand& /*command*/) {
        return experiment::ChildResult{
            .end = experiment::ChildEnd::exited, .code = code, .pid = 1, .output_tail = output};
    });
}

constexpr const char* kHash = "0123456789012345678901234567890123456789";

/// Whether there is a git whose answers the tests below can replace.
bool has_git() {
    return revision_after(0, kHash) == kHash;
}

class GitRevision : public testing::Test {
  protected:
    void SetUp() override {
        if (!has_git()) {
            GTEST_SKIP() << "no git in PATH";
        }
    }
};

TEST_F(GitRevision, IsTheCommitAndAPlusWhenFilesWereModified) {
    EXPECT_EQ(revision_after(0, std::string(kHash) + "\n"), kHash);
    EXPECT_EQ(revision_after(0, std::string(kHash) + "+\n"), std::string(kHash) + "+");
}

TEST_F(GitRevision, IsNoneOutsideARepository) {
    EXPECT_EQ(
        revision_after(
            128, "fatal: not a git repository (or any of the parent directories): .git\n"
        ),
        "none"
    );
}

TEST_F(GitRevision, SaysWhyGitFailed) {
    EXPECT_EQ(
        revision_after(128, "fatal: detected dubious ownership in repository at '/a'\n"),
        "unavailable: git exited with code 128: fatal: detected dubious ownership in repository at "
        "'/a'"
    );
    EXPECT_THAT(revision_after(0, "warning: odd\n"), StartsWith("unavailable: git exited"));
}

TEST_F(GitRevision, EndsAfterASecondAndFailsNoRun) {
    std::chrono::milliseconds limit{0};
    const std::string revision = git_revision([&](const experiment::ChildCommand& command) {
        limit = command.timeout;
        return experiment::ChildResult{
            .end = experiment::ChildEnd::timed_out, .code = 9, .pid = 1, .output_tail = {}};
    });
    EXPECT_EQ(limit, std::chrono::seconds{1});
    EXPECT_EQ(revision, "unavailable: git ran out of time");
    EXPECT_EQ(
        git_revision([](const experiment::ChildCommand&) -> experiment::ChildResult {
            throw UnavailableError("could not start a process: no memory");
        }),
        "unavailable: could not start a process: no memory"
    );
}

TEST(MachineFacts, HaveWhatNvmlTellsOfTheDevice) {
    const test::FakeNvml fake;
    Environment environment;
    add_machine_facts(environment, "GPU-1", test::libraries_with(fake));
    EXPECT_EQ(environment.mig, "off");
    EXPECT_EQ(environment.ecc, "on");
    EXPECT_EQ(environment.clock_state, "unlocked");
    EXPECT_EQ(environment.virtualization, "passthrough");
    EXPECT_EQ(environment.confidential_compute, "off");
    EXPECT_EQ(environment.power_limit_mw, 700'000);
    EXPECT_EQ(environment.sm_clock_max_mhz, 1980);
    EXPECT_EQ(environment.memory_clock_max_mhz, 3202);
    EXPECT_THAT(environment.container, Not(IsEmpty()));
    EXPECT_THAT(environment.git_revision, Not(IsEmpty()));
}

TEST(MachineFacts, SayWhyTheyAreMissing) {
    test::FakeNvml fake;
    fake.has_ecc = std::nullopt;
    Environment environment;
    add_machine_facts(environment, "GPU-1", test::libraries_with(fake));
    EXPECT_EQ(environment.ecc, "unavailable: NVML does not tell");
    add_machine_facts(environment, "GPU-2", test::libraries_with(fake));
    EXPECT_EQ(environment.mig, "unavailable: NVML does not know this device");
    EXPECT_EQ(environment.power_limit_mw, 0);
    add_machine_facts(environment, "GPU-1", test::no_libraries());
    EXPECT_EQ(environment.clock_state, "unavailable: could not load NVML: no such file");
}

TEST(MachineFacts, SayNothingOfADeviceThatIsNone) {
    Environment environment;
    add_machine_facts(environment, {}, test::no_libraries());
    EXPECT_THAT(environment.mig, IsEmpty());
    EXPECT_THAT(environment.clock_state, IsEmpty());
    EXPECT_THAT(environment.git_revision, Not(IsEmpty()));
}

} // namespace
} // namespace kvprof
