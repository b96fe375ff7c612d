#include "capture/cuda/cupti_subscription.h"

#include <array>
#include <atomic>
#include <string_view>

namespace kvprof::cuda {

namespace {

/// The first version that numbers calls right in a second session.
constexpr std::uint32_t kReopens = 130'101;

enum class Place : int { free, taken, given_back };

/// CUPTI's state is the process's, and so is ours.
std::atomic<Place>& place() {
    static std::atomic<Place> state = Place::free;
    return state;
}

bool take_place(std::uint32_t version) {
    Place found = Place::free;
    if (place().compare_exchange_strong(found, Place::taken)) {
        return true;
    }
    return version >= kReopens && found == Place::given_back
           && place().compare_exchange_strong(found, Place::taken);
}

} // namespace

SubscribeResult subscribe(const CuptiApi& api, CUpti_CallbackFunc callback, void* user) {
    if (!take_place(api.context.cupti_version)) {
        return {.code = number(CuptiCode::second_session)};
    }
    std::array<char, CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN> rival{};
    CUpti_SubscriberParams params{
        .structSize = sizeof(CUpti_SubscriberParams),
        .subscriberName = "kvprof",
        .oldSubscriberName = rival.data(),
        .oldSubscriberSize = rival.size()};
    SubscribeResult result;
    result.code = api.subscribe(&result.handle, callback, user, &params);
    if (result.code != CUPTI_SUCCESS) {
        place() = Place::free;
        rival.back() = '\0';
        // What CUPTI 13.0 fills in for a tool that gave no name.
        const std::string_view name = rival.data();
        result.rival = name == "<not provided>" ? "" : name;
    }
    return result;
}

void unsubscribe(const CuptiApi& api, CUpti_SubscriberHandle handle) noexcept {
    if (handle != nullptr) {
        api.unsubscribe(handle);
    }
    place() = Place::given_back;
}

CuptiSubscription::CuptiSubscription(const CuptiApi& api, CUpti_CallbackFunc callback, void* user)
    : api_(api) {
    const SubscribeResult result = subscribe(api, callback, user);
    if (result.code != CUPTI_SUCCESS) {
        CuptiApi named = api;
        named.context.rival = result.rival;
        throw named.error(result.code, "subscribe to CUPTI");
    }
    handle_ = result.handle;
}

CuptiSubscription::~CuptiSubscription() {
    unsubscribe(api_, handle_);
}

} // namespace kvprof::cuda
