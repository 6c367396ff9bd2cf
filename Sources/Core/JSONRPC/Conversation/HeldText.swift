/// What a connection has begun to say and not ended, and the batch that is under way, which its user's connections share a limit for.
extension Conversation {
  /// Bytes of a text that has no end yet, as a connection may always have them, whatever its user has.
  private static let shareOfHeldBytes = 16_384

  /// A user who sends many beginnings and no ends is refused the long ones of them.
  mutating func holdBack(into output: inout JSONWriter) {
    noteHeldBytes()
    let limit = requests.dispatcher.limits.heldBytesPerUID
    guard requests.account.heldBytes > limit, framing.heldBytes > Self.shareOfHeldBytes else { return }
    framing.giveUpText()
    noteHeldBytes()
    refuse(with: .tooMuchHeld(limit: limit), into: &output)
  }

  mutating func noteHeldBytes() {
    let now = framing.heldBytes + batchText.bytes.count
    if now != notedBytes { requests.account.hold(now - notedBytes) }
    notedBytes = now
  }
}
