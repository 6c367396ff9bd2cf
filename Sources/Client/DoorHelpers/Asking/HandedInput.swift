package import Linux
internal import Wiping

/// The input that a program hands to a helper that it starts for one question.
package enum HandedInput {
  /// Reads to the end, or until `isWhole`.
  ///
  /// - Parameters:
  ///   - limit: The most bytes; of a longer input, one byte more is returned.
  ///   - seconds: How long reading may take.
  /// - Returns: Nil if that takes longer, or if the input cannot be read.
  package static func read(
    _ input: borrowing Descriptor, atMost limit: Int, seconds: Int, until isWhole: ([UInt8]) -> Bool = { _ in false }
  ) -> [UInt8]? {
    let deadline = MonotonicInstant.now + .seconds(seconds)
    var bytes: [UInt8] = []
    // an array that grows leaves its old bytes in memory that it gives back
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
