internal import CSystemd
internal import Linux

/// Sends entries to the journal (systemd-journald.service(8)).
package enum Journal {
  /// Whether text written to `descriptor` goes to the journal, so that entries may be sent there natively instead.
  ///
  /// - Parameter stream: The variable `JOURNAL_STREAM`: device and inode of the stream (systemd.exec(5)). If the descriptor is
  ///   another file, it was redirected after systemd set the variable.
  package static func isBehind(_ descriptor: Int32, _ stream: String?) -> Bool {
    let numbers = (stream ?? "").split(separator: ":", omittingEmptySubsequences: false).map { UInt64($0) }
    guard numbers.count == 2, let device = numbers[0], let inode = numbers[1],
      let status = try? Descriptor(borrowing: descriptor).status()
    else { return false }
    return status.identity.device == device && status.identity.inode == inode
  }

  /// Sends one entry. Blocks the thread while journald does not read.
  ///
  /// - Parameter fields: `NAME=value`, each ended by a line feed, at most 64 of them.
  /// - Returns: Whether journald accepted it.
  package static func send(_ fields: [UInt8]) -> Bool {
    fields.withUnsafeBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { systemd_send_to_journal($0.baseAddress, UInt($0.count)) } >= 0
    }
  }
}
