#pragma once

// NOLINTNEXTLINE(readability-identifier-naming): the library's own name
struct sqlite3;

#include <string>

namespace kvprof::db {

/// Lets a connection do nothing but read from now on, whatever SQL it is given, and remembers what
/// it had to refuse. Internal to db/; it has to outlive the connection's use.
class ReadAccess {
  public:
    explicit ReadAccess(sqlite3* connection);
    ReadAccess(const ReadAccess&) = delete;
    ReadAccess& operator=(const ReadAccess&) = delete;

    /// "attach another database"; empty: nothing was refused.
    [[nodiscard]] const std::string& refused() const noexcept { return refused_; }

  private:
    static int decide(
        void* self,
        int action,
        const char* first,
        const char* second,
        const char* schema,
        const char* trigger
    );

    std::string refused_;
};

} // namespace kvprof::db
