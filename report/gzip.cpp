#include "report/gzip.h"

#include "capture/model/error.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <stdexcept>

namespace kvprof::report {

namespace {

constexpr int kGzipWindow = 15 + 16; ///< the greatest window; 16 asks for gzip's header
constexpr int kMemoryLevel = 8;      ///< zlib's own default
constexpr int kUnknownSystem = 255;  ///< of the header: else it names the machine's

/// A stream that compresses; its memory is given back in any case.
class Deflate {
  public:
    Deflate() {
        if (deflateInit2(
                &stream_,
                Z_BEST_COMPRESSION,
                Z_DEFLATED,
                kGzipWindow,
                kMemoryLevel,
                Z_DEFAULT_STRATEGY
            )
            != Z_OK) {
            throw std::bad_alloc();
        }
        header_.os = kUnknownSystem;
        deflateSetHeader(&stream_, &header_);
    }

    ~Deflate() { deflateEnd(&stream_); }

    Deflate(const Deflate&) = delete;
    Deflate& operator=(const Deflate&) = delete;

    /// Adds what the input gives to `out`.
    void add(std::string_view input, bool is_last, std::string& out) {
        // zlib does not write to its input, and takes it as if it did.
        stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(input.data()));
        stream_.avail_in = static_cast<uInt>(input.size());
        do {
            stream_.next_out = buffer_.data();
            stream_.avail_out = static_cast<uInt>(buffer_.size());
            if (deflate(&stream_, is_last ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_ERROR) {
                throw std::logic_error("zlib lost the state of its stream");
            }
            const std::size_t written = buffer_.size() - stream_.avail_out;
            out.append(reinterpret_cast<const char*>(buffer_.data()), written);
        } while (stream_.avail_out == 0);
    }

  private:
    static constexpr std::size_t kBuffer = std::size_t{1} << 16U;

    z_stream stream_{};
    gz_header header_{};
    std::array<Bytef, kBuffer> buffer_{};
};

/// A stream that unpacks.
class Inflate {
  public:
    explicit Inflate(std::string_view packed) {
        stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
        stream_.avail_in = static_cast<uInt>(packed.size());
        if (inflateInit2(&stream_, kGzipWindow) != Z_OK) {
            throw std::bad_alloc();
        }
    }

    ~Inflate() { inflateEnd(&stream_); }

    Inflate(const Inflate&) = delete;
    Inflate& operator=(const Inflate&) = delete;

    std::string all() {
        std::string out;
        for (int state = Z_OK; state != Z_STREAM_END;) {
            stream_.next_out = buffer_.data();
            stream_.avail_out = static_cast<uInt>(buffer_.size());
            state = inflate(&stream_, Z_NO_FLUSH);
            const std::size_t written = buffer_.size() - stream_.avail_out;
            out.append(reinterpret_cast<const char*>(buffer_.data()), written);
            const bool is_sound = state == Z_OK || (state == Z_STREAM_END && stream_.avail_in == 0);
            if (!is_sound || out.size() > kMostUnpacked) {
                throw UsageError(
                    "could not unpack the file: it is cut off, damaged, over 1 GiB, or more "
                    "follows",
                    "gzip -t FILE checks it"
                );
            }
        }
        return out;
    }

  private:
    static constexpr std::size_t kMostUnpacked = std::size_t{1} << 30U;
    static constexpr std::size_t kBuffer = std::size_t{1} << 16U;
    z_stream stream_{};
    std::array<Bytef, kBuffer> buffer_{};
};

} // namespace

std::string gunzip(std::string_view text) {
    constexpr std::string_view kMagic("\x1f\x8b", 2);
    return text.starts_with(kMagic) ? Inflate(text).all() : std::string(text);
}

std::string gzip(std::string_view text) {
    // zlib counts in 32 bits.
    constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
    Deflate deflate;
    std::string out;
    do {
        const std::size_t size = std::min(text.size(), kMost);
        deflate.add(text.substr(0, size), size == text.size(), out);
        text.remove_prefix(size);
    } while (!text.empty());
    return out;
}

} // namespace kvprof::report
