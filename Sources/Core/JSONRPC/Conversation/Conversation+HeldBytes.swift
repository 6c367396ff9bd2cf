/// The limit of bytes that a user has regd hold: here of texts that have begun and not ended, and of the batch under way.
extension Conversation {
  /// Bytes of an unfinished text that a connection may always have, whatever its user holds.
  private static let shareOfHeldBytes = 16_384

  /// Refuses the unfinished text if it is long and its user holds more than the limit.
  mutating func limitHeldBytes(into output: inout JSONWriter) {
    countHeldBytes()
    let limit = requests.limits.heldBytesPerUID
    guard requests.usage.heldBytes > limit, framing.heldBytes > Self.shareOfHeldBytes else { return }
    framing.giveUpText()
    countHeldBytes()
    refuse(with: .tooMuchHeld(limit: limit), into: &output)
  }

  mutating func countHeldBytes() {
    let now = framing.heldBytes + batchText.bytes.count
    if now != countedBytes { requests.usage.hold(now - countedBytes) }
    countedBytes = now
  }
}
