#pragma once

#include "kernels/calls.h"

/// Host twins of the state slots: which slot a lane has, and the word that stands for its contents.
namespace kvprof::kernels::host {

void run(const StateSlotsCall& call);
/// Lanes are served in order; on the device they are not. Two lanes may write the same slot only
/// when they have the same owner.
void run(const StateWordsCall& call);

} // namespace kvprof::kernels::host
