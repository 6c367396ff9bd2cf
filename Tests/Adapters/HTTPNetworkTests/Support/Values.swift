import Registration

extension EmailAddress {
  static func of(_ text: String) -> EmailAddress { EmailAddress(stored: text, key: EmailKey(text)) }
}

/// A clock that stands still.
struct StillTime: TimeSource {
  static let time = Timestamp(microseconds: 1_795_258_620_000_000)
  func now() -> Timestamp { Self.time }
}
