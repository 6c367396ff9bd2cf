internal import Glibc

/// Writing to a descriptor that may have no reader. Others may share it, so that its O_NONBLOCK is not ours to set:
/// what is written at once is what a pipe takes without waiting where it takes anything (pipe(7)).
package enum StandardError {
  /// Writes all of `bytes`.
  ///
  /// - Parameter stalled: How long it may go without anything being read; nil for ever.
  /// - Returns: Whether all was written; false if it is not read in time, or can be read no more.
  package static func write(
    _ bytes: [UInt8], to descriptor: Int32 = STDERR_FILENO, stalled: Duration?
  ) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      var events = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
      let ready = poll(&events, 1, stalled?.milliseconds ?? -1)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { return false }
      let count = rest.prefix(LogBacklog.mostAtOnce).withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
