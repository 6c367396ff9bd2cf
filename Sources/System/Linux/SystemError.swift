internal import Glibc

/// Failure of a system call.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Name of the call, such as "open".
  package let call: String
  /// errno(3).
  package let number: Int32

  package init(_ call: String, _ number: Int32) {
    self.call = call
    self.number = number
  }

  /// The C library's message for the number: "No such file or directory".
  package var text: String { Self.text(number) }
  package var description: String { "\(call): \(text)" }

  /// The C library's message for an errno(3) that another library returned.
  package static func text(_ number: Int32) -> String {
    strerror(number).map { String(cString: $0) } ?? "error \(number)"
  }
}

/// The errno(3) values that regd's code distinguishes.
extension SystemError {
  package static let notFound = ENOENT
  package static let permissionDenied = EACCES
  package static let fileExists = EEXIST
  /// The path is a symbolic link, and the call allows none.
  package static let link = ELOOP
  package static let wouldBlock = EAGAIN
  package static let invalidArgument = EINVAL
  package static let isDirectory = EISDIR
  package static let notSupported = EOPNOTSUPP
  package static let noSpace = ENOSPC
  package static let connectionRefused = ECONNREFUSED
  package static let brokenPipe = EPIPE
  package static let connectionReset = ECONNRESET
  package static let connectionAborted = ECONNABORTED
  /// The process has reached its limit of descriptors.
  package static let tooManyFiles = EMFILE
  package static let nameTooLong = ENAMETOOLONG

  /// Whether the process or the machine is out of descriptors or memory for now.
  package var isExhaustion: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(number) }
}

/// Makes a call that returns a negative number on failure. Repeats the call if a signal has interrupted it.
@inline(__always)
func checked<Number: SignedInteger>(_ call: String, _ body: () -> Number) throws(SystemError) -> Number {
  while true {
    let result = body()
    if result >= 0 { return result }
    let number = errno
    if number != EINTR { throw SystemError(call, number) }
  }
}
