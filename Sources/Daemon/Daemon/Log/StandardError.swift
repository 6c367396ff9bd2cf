internal import Linux

/// Writes to a descriptor that may have no reader. Other processes may share it, so regd must not set O_NONBLOCK.
/// Instead it writes only as many bytes at once as a writable pipe accepts without waiting (pipe(7)).
enum StandardError {
  /// Writes all of `bytes`.
  ///
  /// - Parameter stalled: How long the descriptor may accept nothing, because no program reads, before the write is
  ///   given up. Nil means no limit.
  /// - Returns: Whether all was written. The result is false if no program reads in time, or the reader has gone.
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
