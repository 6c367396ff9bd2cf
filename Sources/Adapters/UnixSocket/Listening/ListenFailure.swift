internal import Linux

/// Why regd cannot listen.
package enum ListenFailure: Error, Equatable {
  /// The path has more bytes than an address can hold.
  case pathTooLong(limit: Int)
  /// Something else is at the path, and stays.
  case notASocket
  /// Another regd lives there; its process id where it is known.
  case owned(by: Int32?)
  /// A process listens at the name under which the socket is to be made.
  case newOwned
  /// What is at the lock file's place is no lock file of regd's, and stays as it is.
  case notALockFile(LockFile.Problem)
  /// A system call failed, with this errno(3).
  case system(String, Int32)

  init(_ error: SystemError) { self = .system(error.call, error.number) }
}
