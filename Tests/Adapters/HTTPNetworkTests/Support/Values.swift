import Registration

extension EmailAddress {
  static func of(_ text: String) -> EmailAddress { EmailAddress(stored: text, key: EmailKey(text)) }
}
