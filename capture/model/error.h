#pragma once

#include <stdexcept>
#include <string>

namespace kvprof {

/// What stops the current job. `what()` reads `could not <verb> <object>: <cause with values>`;
/// `hint()` names the command or flag that helps (may be empty).
class Error : public std::runtime_error {
  public:
    explicit Error(const std::string& what, std::string hint = {});
    [[nodiscard]] const std::string& hint() const noexcept;

  private:
    std::string hint_;
};

/// "<what> (<hint>)": for a stored reason, which has one line.
[[nodiscard]] std::string with_hint(const Error& error);

/// The command line, a configuration file or an option combination is wrong: exit code 2.
class UsageError final : public Error {
    using Error::Error;
};

/// Two sides can not be compared (other device, other executor, other pool): exit code 4.
class ComparabilityError final : public Error {
    using Error::Error;
};

/// This machine or build can not measure it; the variant is recorded as not run: exit code 5.
class UnavailableError final : public Error {
    using Error::Error;
};

/// A recording or an input file can not be trusted: exit code 5.
class BadDataError : public Error {
    using Error::Error;
};

/// Device output differs from the reference; no time of it may be reported: exit code 6.
class VerifyError final : public Error {
    using Error::Error;
};

/// The store is damaged, locked, foreign or newer than this program: exit code 7.
class StoreError final : public Error {
    using Error::Error;
};

} // namespace kvprof
