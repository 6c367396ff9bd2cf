internal import Linux

/// Writing to a descriptor that may have no reader. Others may share it, so that its O_NONBLOCK is not ours to set:
/// what is written at once is what a pipe takes without waiting where it takes anything (pipe(7)).
enum StandardError {
  /// Writes all of `bytes`.
  ///
  /// - Parameter stalled: How long it may go without anything being read; nil for ever.
  /// - Returns: Whether all was written; false if it is not read in time, or can be read no more.
  static func write(
    _ bytes: [UInt8], to descriptor: Int32 = Descriptor.standardError.number, stalled: Duration?
  ) -> Bool {
    let output = Descriptor(borrowing: descriptor)
    var rest = bytes[...]
    while !rest.isEmpty {
      guard Polling.isReady(.writable(descriptor), atMost: stalled) else { return false }
      let written = rest.prefix(LogBacklog.mostAtOnce).withUnsafeBytes { bytes in
        Result { () throws(SystemError) in try output.write(bytes) }
      }
      switch written {
      case .success(0): return false
      case .success(let count): rest = rest.dropFirst(count)
      case .failure(let error): guard error.number == SystemError.wouldBlock else { return false }
      }
    }
    return true
  }
}
