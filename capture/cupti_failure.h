#pragma once

#include "capture/model/error.h"

#include <cstdint>
#include <optional>
#include <string>

namespace kvprof {

/// Why CUPTI does not record: its own result codes as far as they have a cause of their own, and
/// below zero what goes wrong around it.
enum class CuptiCode : int {
    not_initialized = 15,
    disabled = 23,
    hardware_busy = 26,
    not_supported = 27,
    virtualized_device = 33,
    insufficient_privileges = 35,
    legacy_profiler = 38,
    multiple_subscribers = 39,
    virtualized_privileges = 40,
    confidential_computing = 41,
    cmp_device = 42,
    mig_device = 43,
    sli_device = 44,
    wsl_device = 45,
    unknown = 999,

    library_missing = -1, ///< no libcupti.so.13, or the file of KVPROF_CUPTI does not open
    symbol_missing = -2,  ///< the library lacks a function: context.detail
    other_major = -3,     ///< a CUPTI of another major version
    second_session = -4,  ///< this process has or had a session
    unsupported_device = -5,
    callbacks_lost = -6,     ///< context.lost of them
    shut_down = -8,          ///< CUPTI met an error and detached itself
    graph_ids_disagree = -9, ///< context.lost nodes
    graph_ids_missing = -10, ///< context.lost events
    records_unread = -11     ///< context.lost buffers
};

/// What a message can say of the machine and of the call that failed; unknown parts stay empty.
struct CuptiContext {
    std::string action = "record with CUPTI"; ///< "could not <action>"
    std::optional<int> driver_version;        ///< 13000 is CUDA 13.0; empty: no driver
    std::uint32_t cupti_version = 0;          ///< cuptiGetVersion
    std::string file;                         ///< of the library
    std::string rival; ///< name of the subscriber that is there already; empty: it gave none
    std::optional<bool> is_admin_only; ///< the driver keeps profiling for administrators
    std::string virtualization;        ///< "pass-through", "virtual GPU"
    std::int64_t lost = 0;
    std::string detail; ///< CUPTI's own words, or the loader's
};

/// A cause and what to do about it; both are one line.
struct CuptiFailure {
    std::string what;   ///< "could not <action>: <cause with values>"
    std::string remedy; ///< may be empty

    friend bool operator==(const CuptiFailure&, const CuptiFailure&) = default;
};

/// `code` is a CUptiResult or a CuptiCode. Codes without a cause of their own are named by number
/// and CUPTI's words.
[[nodiscard]] CuptiFailure describe_cupti_failure(int code, const CuptiContext& context);

[[nodiscard]] UnavailableError cupti_error(CuptiCode code, const CuptiContext& context);

/// A CuptiCode among CUptiResults.
[[nodiscard]] constexpr int number(CuptiCode code) {
    return static_cast<int>(code);
}

/// The first major version is 13: libraries before it number their interface from 1 to 28.
[[nodiscard]] int cupti_major(std::uint32_t version);

/// "13.0.1" from 130001; "interface 28, before 13" from 28.
[[nodiscard]] std::string cupti_version_text(std::uint32_t version);

} // namespace kvprof
