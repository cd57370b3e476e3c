// SPDX-License-Identifier: Apache-2.0
// Errors of the host side: two exception types under one name, or a hook where exceptions are off.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace logitchain::inline v0 {

/// What every error of the library can be caught as. Each one is also a `std::invalid_argument`
/// (an argument was refused) or a `std::runtime_error` (something outside the call went wrong).
class error {
 public:
  virtual ~error() = default;
  /// One sentence of fact: the argument, its value, and what is allowed.
  virtual const char* what() const noexcept = 0;

 protected:
  error() = default;
  error(const error&) = default;
  error& operator=(const error&) = default;
};

/// An argument outside of its documented range. Nothing was changed by the call.
class invalid_argument final : public error, public std::invalid_argument {
 public:
  explicit invalid_argument(const std::string& text) : std::invalid_argument(text) {}
  const char* what() const noexcept override { return std::invalid_argument::what(); }
};

/// A fault of the data or the system that no argument check could have seen.
class runtime_error final : public error, public std::runtime_error {
 public:
  explicit runtime_error(const std::string& text) : std::runtime_error(text) {}
  const char* what() const noexcept override { return std::runtime_error::what(); }
};

/// Called instead of a throw where exceptions are off (`-fno-exceptions`). It must not return:
/// the program is aborted after it.
using ErrorHandler = void (*)(const char* text);

namespace detail {

inline ErrorHandler& error_handler() noexcept {
  static ErrorHandler handler = nullptr;
  return handler;
}

template <class Exception>
[[noreturn]] inline void raise(const std::string& text) {
#if defined(__cpp_exceptions)
  throw Exception(text);
#else
  if (ErrorHandler handler = error_handler()) handler(text.c_str());
  std::fprintf(stderr, "logitchain: %s\n", text.c_str());
  std::abort();
#endif
}

template <class... Parts>
inline std::string text_of(const Parts&... parts) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.precision(10);
  (out << ... << parts);
  return std::move(out).str();
}

}  // namespace detail

/// Sets the hook for builds without exceptions and returns the one before it.
inline ErrorHandler set_error_handler(ErrorHandler handler) noexcept {
  return std::exchange(detail::error_handler(), handler);
}

/// Refuses an argument: "`where`: `argument` is `value`; it must be `allowed`".
/// @throws invalid_argument always
template <class Value>
[[noreturn]] inline void refuse(std::string_view where, std::string_view argument,
                                const Value& value, std::string_view allowed) {
  detail::raise<invalid_argument>(
      detail::text_of(where, ": ", argument, " is ", value, "; it must be ", allowed));
}

/// Refuses a call for a reason that is not one argument's range.
/// @throws invalid_argument always
template <class... Parts>
[[noreturn]] inline void refuse_call(const Parts&... parts) {
  detail::raise<invalid_argument>(detail::text_of(parts...));
}

/// Reports a fault that is not an argument's.
/// @throws runtime_error always
template <class... Parts>
[[noreturn]] inline void fail(const Parts&... parts) {
  detail::raise<runtime_error>(detail::text_of(parts...));
}

}  // namespace logitchain::inline v0
