#include "capture/foreign_processes.h"

#include "capture/model/error.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

namespace kvprof {

namespace {

bool exists_here(std::int64_t pid) {
    return kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM;
}

/// The entry that stands for this process; the end when none does.
std::vector<GpuProcess>::iterator
find_self(std::vector<GpuProcess>& listed, std::int64_t self, const ProcessExists& exists) {
    const auto own = std::find_if(listed.begin(), listed.end(), [&](const GpuProcess& process) {
        return process.pid == self;
    });
    const bool numbered_here =
        own != listed.end()
        || std::any_of(listed.begin(), listed.end(), [&](const GpuProcess& process) {
               return exists(process.pid);
           });
    if (numbered_here) {
        return own;
    }
    return std::max_element(
        listed.begin(),
        listed.end(),
        [](const GpuProcess& a, const GpuProcess& b) { return a.bytes < b.bytes; }
    );
}

} // namespace

Company company_in(
    std::vector<GpuProcess> listed,
    std::string_view when,
    std::int64_t self,
    const ProcessExists& exists
) {
    Company company;
    if (const auto own = find_self(listed, self, exists); own != listed.end()) {
        company.lists_self = true;
        company.own_bytes = own->bytes;
        listed.erase(own);
    }
    for (const GpuProcess& process : listed) {
        company.others.push_back({std::string(when), process.pid, process.bytes.value_or(0)});
    }
    return company;
}

Company company_on(const Nvml& nvml, std::string_view device_uuid, std::string_view when) {
    return company_in(nvml.processes_of(device_uuid), when, getpid(), exists_here);
}

std::vector<ForeignProcess>
foreign_processes(std::string_view device_uuid, std::string_view when, const Libraries& libraries) {
    try {
        return company_on(Nvml(libraries), device_uuid, when).others;
    } catch (const UnavailableError&) {
        return {};
    }
}

} // namespace kvprof
