#pragma once

#include "tests/support/device_vector.h"
#include "tests/support/read_case.h"

namespace kvprof::test {

/// The inputs of a ReadCase on the device.
struct DeviceReadCase {
    DeviceVector<std::int32_t> req_to_token;
    DeviceVector<std::int64_t> rows;
    DeviceVector<std::uint8_t> lens;
    DeviceVector<std::uint8_t> starts;
    DeviceVector<std::uint8_t> v2p;
    DeviceVector<std::int32_t> indptr;
    kernels::ReadLanes lanes;
    kernels::IndexArray starts_view;

    explicit DeviceReadCase(ReadCase& host)
        : req_to_token(host.req_to_token),
          rows(host.rows),
          lens(host.lens.bytes),
          starts(host.starts.bytes),
          v2p(host.v2p.bytes),
          indptr(host.indptr),
          lanes(host.lanes()) {
        lanes.req_to_token = req_to_token.data();
        lanes.rows = rows.data();
        lanes.lens.data = lens.data();
        lanes.v2p.data = v2p.data();
        if (host.starts_view().data != nullptr) {
            starts_view = {starts.data(), host.starts.type};
        }
    }

    /// Takes over what moved in the host case; shapes must be the same.
    void refresh(const ReadCase& host) {
        req_to_token.assign(host.req_to_token);
        rows.assign(host.rows);
        lens.assign(host.lens.bytes);
        starts.assign(host.starts.bytes);
        v2p.assign(host.v2p.bytes);
        indptr.assign(host.indptr);
    }
};

} // namespace kvprof::test
