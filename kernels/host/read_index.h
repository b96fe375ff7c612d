#pragma once

#include "kernels/calls.h"

/// Host twins of the kernels that turn req_to_token into a page table or a token stream.
namespace kvprof::kernels::host {

void run(const PageTableCall& call);
void run(const TokenStreamCall& call);
void run(const TableAndStreamCall& call);
void run(const RepackCall& call);
void run(const StaticGatherCall& call);
void run(const StaticBlockTableCall& call);

} // namespace kvprof::kernels::host
