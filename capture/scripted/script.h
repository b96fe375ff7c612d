#pragma once

#include "capture/model/params.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvprof::scripted {

/// What a script says. Lines are `KEY VALUE`; # starts a comment, and of two lines with one key the
/// last one that holds counts.
///   gpu_us N...      device time of one replay, repeated cyclically by sample
///   fail STAGE TEXT  throw at `prepare` or `replay` (UnavailableError with TEXT)
///   wrong_ids        flip one id of the stream, so verification must fail
///   crash | hang     end the process by a signal, or never return, at the first replay
///   log FILE         append one line per event: environment, prepare, replay N, read, memory
///   clock_mhz N...   SM clock of each look at the device, repeated cyclically; warm-up takes looks
///                    of its own, one a window
///   reasons N        event reasons in every look at the device: NVML's bits, 0x8 or 8
///   fact NAME VALUE  a fact of the environment, by the name that it is stored under
///   state FILE       count in FILE the runs that have played a script with this FILE
///   turn N [M]       the lines up to the next `turn` hold in runs N to M (in N alone) of `state`,
///                    counted from 0
/// "state FILE", "turn 0 1", "reasons 0x8" are two runs on a slow device, and sound ones from then
/// on, whichever processes they are.
struct Script {
    std::vector<double> gpu_us{1.0};
    std::string fail_stage;
    std::string fail_text;
    bool has_wrong_ids = false;
    bool has_crash = false;
    bool has_hang = false;
    std::string log_file;
    std::vector<std::int64_t> clock_mhz; ///< empty: the device does not tell
    std::optional<std::int64_t> reasons; ///< absent: the device does not tell
    std::vector<Param> facts;
};

/// Reads what holds in this run, and counts the run where the script names a `state`.
/// @throws UsageError for an unreadable file or an unknown line.
[[nodiscard]] Script read_script(const std::string& path);

} // namespace kvprof::scripted
