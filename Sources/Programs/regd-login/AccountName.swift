internal import AddressNormalization
internal import Registration

/// The name that an account has for other programs.
enum AccountName {
  /// The address in the form by which accounts are compared, so that one mailbox has one name. regd has accepted the address,
  /// so rules for new addresses do not matter.
  static func of(_ email: String) -> String? {
    try? EmailRules(normalizer: UnicodeNormalizer()).addressOfAccount(email).get().key.value
  }
}
