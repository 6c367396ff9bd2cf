internal import Linux

/// Why regd cannot listen.
package enum ListenFailure: Error, Equatable {
  /// The path has more bytes than a socket address can hold.
  case pathTooLong(limit: Int)
  /// The path holds something other than a socket, which regd leaves there.
  case notASocket
  /// Another regd owns the path. The value is its process id, if known.
  case owned(by: Int32?)
  /// A process listens at the temporary name under which regd would make the socket.
  case newOwned
  /// The file at the lock file's path is not regd's, so regd does not change it.
  case notALockFile(LockFile.Problem)
  /// A system call failed, with this errno(3).
  case system(String, Int32)

  init(_ error: SystemError) { self = .system(error.call, error.number) }
}
