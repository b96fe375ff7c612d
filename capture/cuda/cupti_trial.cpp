#include "capture/cuda/cupti_trial.h"

#include "capture/cuda/cupti_subscription.h"
#include "capture/cupti_library.h"
#include "capture/model/error.h"

namespace kvprof {

namespace cuda {

namespace {

void CUPTIAPI hear_nothing(
    void* /*user*/, CUpti_CallbackDomain /*domain*/, CUpti_CallbackId /*id*/, const void* /*data*/
) {}

} // namespace

CuptiProbe try_cupti(const CuptiApi& api) {
    CuptiProbe probe{.path = api.context.file, .version = api.context.cupti_version};
    const SubscribeResult result = subscribe(api, &hear_nothing, nullptr);
    probe.code = result.code;
    probe.rival = result.rival;
    probe.is_usable = result.code == CUPTI_SUCCESS;
    if (probe.is_usable) {
        probe.virtualization = api.virtualization(0);
        unsubscribe(api, result.handle);
        return probe;
    }
    CuptiApi named = api;
    named.context.rival = result.rival;
    const CuptiFailure failure = named.describe(result.code, "subscribe to CUPTI");
    probe.failure = failure.what;
    probe.remedy = failure.remedy;
    return probe;
}

} // namespace cuda

CuptiProbe probe_cupti_session(const Libraries& libraries) {
    try {
        return cuda::try_cupti(cuda::load_cupti(libraries));
    } catch (const UnavailableError& error) {
        const CuptiLibrary library = find_cupti_library(libraries);
        CuptiCode code = CuptiCode::library_missing;
        if (library.handle != nullptr) {
            const bool is_read = cupti_major(library.version) == 13;
            code = is_read ? CuptiCode::symbol_missing : CuptiCode::other_major;
        }
        return {
            .path = library.file,
            .version = library.version,
            .code = number(code),
            .failure = error.what(),
            .remedy = error.hint()};
    }
}

} // namespace kvprof
