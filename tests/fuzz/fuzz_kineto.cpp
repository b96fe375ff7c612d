// Whatever the bytes are, the reader gives figures or a RefusedError, and nothing else.
#include "capture/import/readers.h"
#include "capture/model/error.h"
#include "tests/fuzz/input_in_memory.h"

#include <cstddef>
#include <cstdint>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const kvprof::fuzz::InputInMemory input({data, size});
    for (const bool allow_partial : {false, true}) {
        kvprof::import::ReadOptions options;
        options.allow_partial = allow_partial;
        options.keep_events = 2;
        kvprof::import::ProfileBuilder builder(options);
        try {
            kvprof::import::read_kineto(input.path(), options, builder);
            static_cast<void>(builder.finish("input"));
        } catch (const kvprof::Error&) { // what it is for
        }
    }
    return 0;
}
