#include "capture/import/byte_source.h"

#include "capture/import/refused.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <vector>

namespace kvprof::import {

namespace {

constexpr std::size_t kInputBytes = std::size_t{256} << 10;
constexpr int kGzipWindow = 15 + 16; // zlib: the largest window, and a gzip header
constexpr std::array<char, 2> kMagic = {'\x1f', '\x8b'};

bool begins_gzip(const InputFile& file) {
    std::array<char, 2> start{};
    return file.read_start(start) == start.size() && start == kMagic;
}

} // namespace

struct ByteSource::Inflater {
    Inflater() {
        if (inflateInit2(&stream, kGzipWindow) != Z_OK) {
            throw std::bad_alloc();
        }
    }

    ~Inflater() { inflateEnd(&stream); }

    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    Inflater(Inflater&&) = delete;
    Inflater& operator=(Inflater&&) = delete;

    /// Reads behind what is left of the input. @returns whether there was more
    bool fill(InputFile& file) {
        const std::size_t left = stream.avail_in;
        std::copy_n(input.begin() + static_cast<std::ptrdiff_t>(next), left, input.begin());
        next = 0;
        const std::size_t got = file.read(std::span(input).subspan(left));
        stream.avail_in = static_cast<uInt>(left + got);
        read += static_cast<std::int64_t>(got);
        return got > 0;
    }

    z_stream stream{};
    std::vector<char> input = std::vector<char>(kInputBytes);
    std::size_t next = 0;  ///< place of the first byte that was not inflated
    std::int64_t read = 0; ///< bytes of the file
    bool in_member = false;
    bool ended = false;
};

ByteSource::ByteSource(const std::filesystem::path& file)
    : file_(file),
      inflater_(begins_gzip(file_) ? std::make_unique<Inflater>() : nullptr) {}

ByteSource::~ByteSource() = default;

std::size_t ByteSource::read(std::span<char> to) {
    return inflater_ == nullptr ? file_.read(to) : inflate_into(to);
}

void ByteSource::drain() {
    std::vector<char> unused(kInputBytes);
    while (read(unused) > 0) {
    }
}

bool ByteSource::begin_member() {
    Inflater& from = *inflater_;
    while (from.stream.avail_in < kMagic.size() && from.fill(file_)) {
    }
    const auto at = from.input.begin() + static_cast<std::ptrdiff_t>(from.next);
    if (from.stream.avail_in >= kMagic.size() && std::equal(kMagic.begin(), kMagic.end(), at)) {
        from.in_member = inflateReset(&from.stream) == Z_OK;
        return true;
    }
    trailing_ = from.stream.avail_in > 0;
    return false;
}

std::size_t ByteSource::inflate_into(std::span<char> to) {
    Inflater& from = *inflater_;
    z_stream& stream = from.stream;
    const auto wanted = static_cast<uInt>(std::min(to.size(), std::size_t{1} << 30));
    stream.avail_out = wanted;
    while (stream.avail_out == wanted && !from.ended) {
        if (!from.in_member && !begin_member()) {
            from.ended = true;
            break;
        }
        if (stream.avail_in == 0 && !from.fill(file_)) {
            truncated_ = from.ended = true;
            break;
        }
        // zlib's interface takes no bytes of another type, and does not write to its input.
        stream.next_in = reinterpret_cast<Bytef*>(from.input.data() + from.next);
        stream.next_out = reinterpret_cast<Bytef*>(to.data());
        const uInt before = stream.avail_in;
        const int result = inflate(&stream, Z_NO_FLUSH);
        from.next += before - stream.avail_in;
        from.in_member = result != Z_STREAM_END;
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
            throw RefusedError(
                "gzip-crc",
                fmt::format(
                    "could not inflate {}: {} before byte {}",
                    file_.name(),
                    stream.msg == nullptr ? "damaged data" : stream.msg,
                    from.read - stream.avail_in
                ),
                "copy the file again from where it was written, or capture the profile again"
            );
        }
    }
    return wanted - stream.avail_out;
}

} // namespace kvprof::import
