internal import WireProtocols

extension Conversation {
  /// The work that one call of `receive` may do. A connection makes several such calls in its turn on the event loop,
  /// and looks at the clock after each.
  package struct Allowance {
    /// The number of texts and items of batches between two looks at the clock.
    package static let step = 32
    /// This many bytes of a text count as one more request, because a long text is as much work as many short ones.
    private static let bytesOfOne = 4096

    /// Texts that the call may still take. Each item of a batch counts as one. The call returns once this is 0 or less.
    package private(set) var requests: Int
    /// Texts that the call has taken. Each item of a batch counts as one.
    package private(set) var taken = 0
    /// The call takes no more texts once the output and `Conversation.waitingBytes` together reach this many bytes.
    package var outputBytes: Int
    /// The most bytes of one result, and of all results of a batch together. `Limits.responseBytes` also applies.
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

    /// Charges for the length of a text, in addition to the charge for the text itself.
    @inline(__always)
    mutating func take(bytes: Int) { requests &-= bytes / Self.bytesOfOne }

    /// Whether the call may take another text.
    @inline(__always)
    var goesOn: Bool { requests > 0 }
  }
}
