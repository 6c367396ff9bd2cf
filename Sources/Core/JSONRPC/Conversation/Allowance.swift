extension Conversation {
  /// How much one call of `receive` may do: a part of a turn, between two looks at the clock.
  package struct Allowance {
    /// Texts and items of batches between two looks at the clock.
    package static let step = 32
    /// Bytes of a text that count as one more request: a long text is as much work as many short ones.
    private static let bytesOfOne = 4096

    /// Texts, a batch's items counted singly, until the call returns; none are left if that is why it has.
    package private(set) var requests: Int
    /// Texts taken so far, a batch's items counted singly.
    package private(set) var taken = 0
    /// Bytes that the output may have before no more is taken.
    package var outputBytes: Int
    /// Bytes that one result, or all of a batch, may have; the limit of all counts too.
    package var responseBytes: Int

    package init(requests: Int = step, outputBytes: Int, responseBytes: Int = .max) {
      self.requests = requests
      self.outputBytes = outputBytes
      self.responseBytes = responseBytes
    }

    @inline(__always)
    mutating func take(_ count: Int) {
      requests &-= count
      taken &+= count
    }

    /// Counts a text's length, besides its being one.
    @inline(__always)
    mutating func take(bytes: Int) { requests &-= bytes / Self.bytesOfOne }

    /// Whether the call goes on.
    @inline(__always)
    var goesOn: Bool { requests > 0 }
  }
}
