#include "capture/import/byte_source.h"
#include "capture/import/json_scanner.h"
#include "capture/import/json_text.h"
#include "capture/import/kineto_events.h"
#include "capture/import/kineto_header.h"
#include "capture/import/readers.h"
#include "capture/import/refused.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

namespace kvprof::import {

namespace {

using namespace std::string_view_literals;

constexpr auto kPartHint = "capture the profile again, or read what is there with --allow-partial";
constexpr auto kQuotesHint =
    "names may hold quotes that are not escaped: capture again without with_stack, or read what is "
    "there with --allow-partial";

class KinetoFile {
  public:
    KinetoFile(ByteSource& source, const ReadOptions& options, ProfileBuilder& to)
        : source_(source),
          options_(options),
          to_(to),
          json_(source),
          events_(json_, to) {}

    void read() {
        check_start();
        try {
            read_document();
        } catch (const JsonError& error) {
            if (!may_go_on(error)) {
                throw refusal(error);
            }
        }
        check_end();
        report();
    }

  private:
    /// Refuses what is no JSON at its first byte.
    void check_start() {
        if (json_.skip_start("\xFF\xFE") || json_.skip_start("\xFE\xFF")
            || json_.skip_start("{\0"sv) || json_.skip_start("[\0"sv)) {
            throw RefusedError(
                "utf-16",
                fmt::format("could not read {}: it is UTF-16, and a trace is UTF-8", name()),
                "write it as UTF-8: \"iconv -f UTF-16 -t UTF-8\""
            );
        }
        static_cast<void>(json_.skip_start("\xEF\xBB\xBF"));
        if (json_.at_end() && !source_.is_truncated()) {
            throw RefusedError(
                "empty-file",
                fmt::format("could not read {}: it holds no text", name()),
                "capture the profile again"
            );
        }
        if (json_.peek() != '{' && json_.peek() != '[' && !json_.at_end()) {
            throw not_a_trace("it does not begin as JSON");
        }
    }

    RefusedError not_a_trace(std::string_view cause) const {
        return RefusedError(
            "not-a-trace",
            fmt::format("could not read {} as a trace: {}", name(), cause),
            "name a trace that torch.profiler wrote, or an SQLite export of Nsight Systems"
        );
    }

    const std::string& name() const { return source_.file().name(); }

    void read_document() {
        if (json_.peek() == '[') {
            read_events(true);
            if (events_.elements() > 0 && events_.trace_events() == 0) {
                throw not_a_trace("no element of its list is an event");
            }
            return;
        }
        for (bool more = json_.open('{'); more; more = json_.next('}')) {
            read_member();
        }
        if (lists_ == 0) {
            throw not_a_trace(
                fmt::format("it has no \"traceEvents\" (its members: {})", header_.members())
            );
        }
    }

    void read_member() {
        json_.hold();
        const JsonToken token = json_.read_key();
        TextDefects unused;
        const std::string key = decode_json_string(json_.text(token), unused);
        json_.release();
        if (key != "traceEvents") {
            header_.read_member(key, json_);
            return;
        }
        if (json_.peek() != '[' && !json_.at_end()) {
            throw not_a_trace("its \"traceEvents\" is no list");
        }
        read_events(false);
    }

    /// Reads the list. In array form, the format lets the end of text end it.
    void read_events(bool is_array_form) {
        ++lists_;
        bool more = json_.open('[');
        json_.mark_list();
        while (more) {
            if (is_array_form && json_.at_end() && !source_.is_truncated()) {
                is_unterminated_ = true;
                return;
            }
            try {
                events_.read();
                more = (is_array_form && json_.at_end()) || json_.next(']');
            } catch (const JsonError& error) {
                if (!is_salvageable(error) || !note_invalid(error)) {
                    throw;
                }
            }
        }
    }

    /// @returns whether reading goes on at a later element
    bool note_invalid(const JsonError& error) {
        first_invalid_ = first_invalid_ ? first_invalid_ : error;
        ++resynchronised_;
        return json_.resynchronise();
    }

    bool is_salvageable(const JsonError& error) const {
        return options_.allow_partial && error.kind() == JsonError::Kind::invalid;
    }

    /// Whether an error that ended reading leaves something that was asked for.
    bool may_go_on(const JsonError& error) {
        const bool is_end = error.kind() == JsonError::Kind::ends_early;
        if (!options_.allow_partial || lists_ == 0
            || (!is_end && error.kind() != JsonError::Kind::invalid)) {
            return false;
        }
        has_ended_early_ = is_end && !first_invalid_;
        if (!is_end && !first_invalid_) {
            first_invalid_ = error;
            ++resynchronised_;
        }
        return true;
    }

    RefusedError refusal(const JsonError& error) {
        const std::uint64_t offset = error.offset();
        source_.drain(); // a wrong checksum or a change of the file is the reason of the reason
        source_.file().check_unchanged();
        const auto refused = [&](std::string word, std::string_view hint) {
            return RefusedError(
                std::move(word),
                fmt::format(
                    "could not read {}: {} at byte {}{}",
                    name(),
                    error.what(),
                    offset,
                    source_.is_gzip() ? " of its text" : ""
                ),
                std::string(hint)
            );
        };
        switch (error.kind()) {
        case JsonError::Kind::ends_early:
            return refused(source_.is_truncated() ? "truncated-gzip" : "truncated-json", kPartHint);
        case JsonError::Kind::invalid: return refused("invalid-json", kQuotesHint);
        case JsonError::Kind::too_deep: return refused("too-deep", "no trace nests so deep");
        case JsonError::Kind::too_long: return refused("too-long", "no name or value is so long");
        }
        return refused("invalid-json", kQuotesHint);
    }

    /// Reads to the end of the file, for the checksums and what may follow the trace.
    void check_end() {
        if (!first_invalid_ && !has_ended_early_ && !json_.at_end()) {
            has_trailing_data_ = true;
        }
        source_.drain();
        source_.file().check_unchanged();
        if (source_.is_truncated() && !options_.allow_partial) {
            throw RefusedError(
                "truncated-gzip",
                fmt::format("could not read {}: its last gzip member ends early", name()),
                kPartHint
            );
        }
    }

    void report() {
        events_.report();
        header_.report(events_, to_);
        if (lists_ > 1) {
            to_.warn("duplicate-traceEvents", "several lists of events were read as one", lists_);
        }
        if (json_.trailing_commas() > 0) {
            to_.warn(
                "trailing-comma", "commas stand before closing brackets", json_.trailing_commas()
            );
        }
        if (is_unterminated_) {
            to_.warn("unterminated-array", "the list of events has no closing bracket");
        }
        if (has_trailing_data_ || source_.has_trailing_data()) {
            to_.warn("trailing-data", "bytes after the end of the trace were left out");
        }
        report_damage();
    }

    void report_damage() {
        if (first_invalid_) {
            to_.warn(
                "invalid-json",
                fmt::format(
                    "events were left out, the first at byte {}: {}",
                    first_invalid_->offset(),
                    first_invalid_->what()
                ),
                resynchronised_
            );
        }
        if (source_.is_truncated()) {
            to_.warn("truncated-gzip", "the file ends early: this is its first part");
        } else if (has_ended_early_) {
            to_.warn("truncated-json", "the file ends early: this is its first part");
        }
        if (first_invalid_ || has_ended_early_ || source_.is_truncated()) {
            to_.set_partial();
        }
    }

    ByteSource& source_;
    const ReadOptions& options_;
    ProfileBuilder& to_;
    JsonScanner json_;
    KinetoEvents events_;
    KinetoHeader header_;
    std::int64_t lists_ = 0;
    std::int64_t resynchronised_ = 0;
    std::optional<JsonError> first_invalid_;
    bool has_ended_early_ = false;
    bool is_unterminated_ = false;
    bool has_trailing_data_ = false;
};

} // namespace

void read_kineto(
    const std::filesystem::path& file, const ReadOptions& options, ProfileBuilder& to
) {
    ByteSource source(file);
    KinetoFile(source, options, to).read();
}

} // namespace kvprof::import
