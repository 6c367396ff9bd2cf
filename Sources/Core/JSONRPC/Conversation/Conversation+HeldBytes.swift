internal import WireProtocols

/// Limits the bytes that regd holds for one user: here those of the unfinished text and of the batch in flight.
extension Conversation {
  /// Bytes of unfinished text that each connection may always have, however much regd holds for its user.
  private static let shareOfHeldBytes = 16_384

  /// Refuses the unfinished text if it is long and regd holds more than the limit for its user.
  mutating func limitHeldBytes(into output: inout JSONWriter) {
    countHeldBytes()
    let limit = requests.limits.heldBytesPerUID
    guard requests.quota.heldBytes > limit, framing.heldBytes > Self.shareOfHeldBytes else { return }
    framing.giveUpText()
    countHeldBytes()
    refuse(with: .tooMuchHeld(limit: limit), into: &output)
  }

  /// Whether a text has begun and not yet ended.
  var hasBegunText: Bool { framing.heldBytes > 0 }

  mutating func countHeldBytes() {
    let now = framing.heldBytes + batchText.bytes.count
    if now != countedBytes { requests.quota.hold(now - countedBytes) }
    countedBytes = now
  }
}
