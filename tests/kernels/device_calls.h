#pragma once

#include "tests/kernels/dcp_case.h"
#include "tests/kernels/device_mirror.h"
#include "tests/kernels/metadata_case.h"
#include "tests/kernels/move_case.h"
#include "tests/kernels/table_and_stream_case.h"

/// The device's side of the host cases: copies of their memory, and their calls over the copies.
namespace kvprof::test {

inline void mirror_read(DeviceMirror& mirror, const ReadCase& read) {
    mirror.add(read.req_to_token);
    mirror.add(read.rows);
    mirror.add(read.lens.bytes);
    mirror.add(read.starts.bytes);
    mirror.add(read.v2p.bytes);
    mirror.add(read.indptr);
}

inline void refresh_read(DeviceMirror& mirror, const ReadCase& read) {
    mirror.refresh(read.req_to_token);
    mirror.refresh(read.rows);
    mirror.refresh(read.lens.bytes);
    mirror.refresh(read.v2p.bytes);
    mirror.refresh(read.indptr);
}

inline void move(const DeviceMirror& mirror, kernels::ReadLanes& lanes) {
    mirror.move_all(lanes.req_to_token, lanes.rows, lanes.lens, lanes.v2p);
}

inline DeviceMirror mirror_of(const MetadataCase& metadata) {
    DeviceMirror mirror;
    mirror_read(mirror, metadata.read);
    mirror.add(metadata.map.bytes);
    mirror.add(metadata.rectangle);
    mirror.add(metadata.window_rectangle);
    mirror.add(metadata.loc);
    mirror.add(metadata.cache_seqlens);
    mirror.add(metadata.cu_seqlens_k);
    mirror.add(metadata.cu_seqlens_q);
    mirror.add(metadata.table);
    mirror.add(metadata.window_table);
    mirror.add(metadata.swa_write_loc);
    return mirror;
}

inline kernels::FaMetadataCall on_device(const DeviceMirror& mirror, kernels::FaMetadataCall call) {
    mirror.move_all(call.lens, call.cache_seqlens, call.cu_seqlens_k, call.req_to_token, call.rows);
    for (auto* table : {&call.table, &call.window_table}) {
        mirror.move_all(table->out, table->rectangle, table->full_to_swa);
    }
    return call;
}

inline kernels::TrtllmMetadataCall
on_device(const DeviceMirror& mirror, kernels::TrtllmMetadataCall call) {
    call.lanes = on_device(mirror, call.lanes);
    mirror.move_all(call.cu_seqlens_q, call.loc, call.full_to_swa, call.swa_write_loc);
    return call;
}

inline DeviceMirror mirror_of(const DcpCase& dcp) {
    DeviceMirror mirror;
    mirror_read(mirror, dcp.read);
    mirror.add(dcp.local_lens.bytes);
    mirror.add(dcp.indptr);
    mirror.add(dcp.ids.bytes);
    return mirror;
}

inline kernels::DcpGatherCall on_device(const DeviceMirror& mirror, kernels::DcpGatherCall call) {
    mirror.move_all(call.req_to_token, call.rows, call.local_lens, call.starts);
    mirror.move_all(call.indptr, call.out);
    return call;
}

inline kernels::StreamTranslateCall
on_device(const DeviceMirror& mirror, kernels::StreamTranslateCall call) {
    mirror.move_all(call.indptr, call.ids, call.v2p);
    return call;
}

inline DeviceMirror mirror_of(const TableAndStreamCase& both) {
    DeviceMirror mirror;
    mirror_read(mirror, both.read);
    mirror.add(both.table.out);
    mirror.add(both.stream.bytes);
    return mirror;
}

inline kernels::TableAndStreamCall
on_device(const DeviceMirror& mirror, kernels::TableAndStreamCall call) {
    move(mirror, call.lanes);
    mirror.move_all(call.table, call.starts, call.indptr, call.stream);
    return call;
}

inline DeviceMirror mirror_of(const MoveCase& pool) {
    DeviceMirror mirror;
    mirror.add(pool.pool);
    mirror.add(pool.v2p.bytes);
    mirror.add(pool.p2v);
    mirror.add(pool.from);
    mirror.add(pool.to);
    mirror.add(pool.staging);
    return mirror;
}

inline kernels::CompactMoveCall
on_device(const DeviceMirror& mirror, kernels::CompactMoveCall call) {
    mirror.move_all(call.from, call.to, call.buffer, call.v2p, call.p2v);
    return call;
}

inline kernels::EnvelopeCopyCall
on_device(const DeviceMirror& mirror, kernels::EnvelopeCopyCall call) {
    mirror.move_all(call.pages, call.buffer, call.staging);
    return call;
}

} // namespace kvprof::test
