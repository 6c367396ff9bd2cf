package import Linux
internal import SecureMemory

/// The input of a helper process that another program (such as pam_exec) starts for a single question.
package enum HandedInput {
  /// Reads to the end of the input, or until `isWhole` returns true.
  ///
  /// - Parameters:
  ///   - limit: The most bytes. Of a longer input, `limit` + 1 bytes are returned, so that the caller notices.
  ///   - seconds: How long reading may take.
  /// - Returns: Nil if reading takes longer than `seconds`, or fails.
  package static func read(
    _ input: borrowing Descriptor, atMost limit: Int, seconds: Int, until isWhole: ([UInt8]) -> Bool = { _ in false }
  ) -> [UInt8]? {
    let deadline = MonotonicInstant.now + .seconds(seconds)
    var bytes: [UInt8] = []
    // reserves enough, because an array that grows frees its old storage without wiping the password in it
    bytes.reserveCapacity(2 * limit + 2)
    while bytes.count <= limit, !isWhole(bytes) {
      let left = deadline - .now
      guard left > .zero, Polling.isReady(.readable(input.number), atMost: left),
        var chunk = try? input.read(atMost: limit + 1 - bytes.count)
      else { return nil }
      if chunk.isEmpty { break }
      bytes += chunk
      wipe(&chunk)
    }
    return bytes
  }
}
