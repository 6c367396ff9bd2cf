extension Conversation {
  /// How much one call of `receive` may do: a turn of the connection.
  package struct Allowance {
    /// Texts and items of batches between two looks at the clock.
    private static let step = 32
    /// Bytes of a text that count as one more request: a long text is as much work as many short ones.
    private static let bytesOfOne = 4096

    /// Texts, a batch's items counted singly, until the clock is looked at; without a deadline, until the turn is over.
    package private(set) var requests: Int
    /// Texts taken so far, a batch's items counted singly.
    package private(set) var taken = 0
    /// Bytes that the output may have before no more is taken.
    package var outputBytes: Int
    /// Bytes that one result, or all of a batch, may have; the limit of all counts too.
    package var responseBytes: Int
    private let deadline: ContinuousClock.Instant?

    /// A turn of so many requests.
    package init(requests: Int, outputBytes: Int, responseBytes: Int = .max) {
      self.requests = requests
      self.outputBytes = outputBytes
      self.responseBytes = responseBytes
      deadline = nil
    }

    /// A turn until a deadline, and of 32 requests at least.
    package init(until deadline: ContinuousClock.Instant, outputBytes: Int, responseBytes: Int) {
      requests = Self.step
      self.outputBytes = outputBytes
      self.responseBytes = responseBytes
      self.deadline = deadline
    }

    @inline(__always)
    mutating func take(_ count: Int) {
      requests &-= count
      taken &+= count
    }

    /// Counts a text's length, besides its being one.
    @inline(__always)
    mutating func take(bytes: Int) { requests &-= bytes / Self.bytesOfOne }

    /// Whether the turn goes on.
    @inline(__always)
    mutating func goesOn() -> Bool { requests > 0 || isExtended() }

    @inline(never)
    private mutating func isExtended() -> Bool {
      guard let deadline, ContinuousClock.now < deadline else { return false }
      requests = Self.step
      return true
    }
  }
}
