internal import JSONRPC
internal import Registration

extension JSONView {
  /// A password in its stable form; the bytes in between are overwritten.
  func password(_ normalizer: any TextNormalizer) -> Password? {
    guard var typed = utf8 else { return nil }
    defer { typed.withUnsafeMutableBytes { Registration.wipe($0) } }
    return Password(utf8: typed.withUnsafeBytes { normalizer.composed($0) })
  }
}

/// The params that `registration.validate` and `registration.register` begin with. A missing or null member is a
/// problem of the entry, not of the call.
enum EntryParameters {
  static let parameters = [
    Parameter("email", .string, required: false, "The e-mail address as it was typed."),
    Parameter("password", .string, required: false, "The password as it was typed."),
    Parameter("passwordConfirmation", .string, required: false, "The password a second time."),
  ]

  static func read(_ parameters: Parameters, _ normalizer: any TextNormalizer) -> RegistrationEntry {
    RegistrationEntry(
      email: parameters[0]?.string, password: parameters[1]?.password(normalizer),
      passwordConfirmation: parameters[2]?.password(normalizer))
  }
}
