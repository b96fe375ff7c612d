#pragma once

#include "kernels/backend_calls.h"
#include "kernels/fused_calls.h"
#include "kernels/index_calls.h"
#include "kernels/model_calls.h"
#include "kernels/tensor_calls.h"

#include <variant>

/// One plain struct per kernel: everything a launch reads and writes, as raw pointers that the
/// caller owns. `kernels::host::run(call)` and `kernels::cuda::launch(call, stream)` take the same
/// structs, and the variant at the end lists them, so a kernel without its twin does not compile.
/// Pointers are device or host memory depending on who runs the call. No call allocates or syncs.
namespace kvprof::kernels {

/// Every kernel that a step may launch.
using KernelCall = std::variant<
    PageTableCall,
    TokenStreamCall,
    RepackCall,
    StaticGatherCall,
    StaticBlockTableCall,
    IndptrCall,
    WriteLocCall,
    AllocBindCall,
    BindCall,
    FreeUnbindCall,
    AllocDecodeCall,
    ZeroPagesCall,
    AppendCall,
    KvSplitsCall,
    DelayCall,
    MapCall,
    GatherCall,
    Gather2dCall,
    ScatterCall,
    Scatter2dCall,
    CumsumCall,
    ConcatCall,
    KvWriteCall,
    KvFillCall,
    AttentionCall,
    AttentionCombineCall,
    FaMetadataCall,
    TrtllmMetadataCall,
    LocalLensCall,
    DcpGatherCall,
    StreamTranslateCall,
    StateSlotsCall,
    StateWordsCall,
    TableAndStreamCall,
    FusedMetadataCall,
    CompactMoveCall,
    EnvelopeCopyCall>;

} // namespace kvprof::kernels
