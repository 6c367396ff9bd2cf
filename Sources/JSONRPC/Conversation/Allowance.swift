extension Conversation {
  /// What may still be done before the caller of `receive` wants to do something else.
  package struct Allowance {
    /// Texts, a batch's items counted singly.
    package var requests: Int
    /// Bytes that the output may have before no more is taken.
    package var outputBytes: Int
    /// Bytes that one result, or all of a batch, may have; the limit of all counts too.
    package var responseBytes: Int

    package init(requests: Int, outputBytes: Int, responseBytes: Int = .max) {
      self.requests = requests
      self.outputBytes = outputBytes
      self.responseBytes = responseBytes
    }
  }
}
