#include "capture/container.h"
#include "capture/machine_facts.h"
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
