internal import JSONRPC
internal import Registration
internal import SecureMemory

/// A password of more bytes is too long under any policy: no policy accepts more than 4096 code points (16384 bytes),
/// and NFC makes text at most four times shorter. Such a text is neither normalized nor kept.
private let longestPassword = 65_536

extension JSONView {
  /// The password in NFC, the form in which passwords are hashed, or nil if the value is not a string. The intermediate
  /// bytes are wiped.
  func password(_ normalizer: any TextNormalizer) -> Password? {
    guard var typed = utf8 else { return nil }
    defer { wipe(&typed) }
    if typed.count > longestPassword {
      // no valid UTF-8 ends like this, so the result equals no password
      return Password(utf8: typed.prefix(longestPassword) + [0xFF])
    }
    return typed.withUnsafeBytes { Password(typed: $0, normalizer) }
  }
}

/// The first params of `registration.validate` and `registration.register`. A missing or null member becomes one of the
/// reply's `problems`, and the call does not fail as invalid.
enum EntryParameters {
  static let email = Parameter("email", .string, required: false, "The email address as the end user typed it.")
  static let password = Parameter("password", .string, required: false, "The password as the end user typed it.")
  static let confirmation = Parameter(
    "passwordConfirmation", .string, required: false, "The password, typed a second time.")
  static let all = [email, password, confirmation]
  static let invitation = Parameter(
    "invitation", .string, required: false, "The code of an invitation; case, spaces and hyphens are ignored.")
  static let terms = Parameter(
    "terms", .string, required: false, "The version of the terms of use that the end user accepts.")
  static let displayName = Parameter(
    "displayName", .nullableString, required: false,
    "The name by which the end user wants to be called; \"\" means no display name.")
  static let newDisplayName = Parameter(
    "displayName", .nullableString, required: true, "The name, or \"\" or null to remove it.")
  /// Last, because these params were added later: in a list of params, the older ones keep their positions.
  static let admission = [invitation, terms, displayName]

  /// The most bytes of an invitation's code, or of a version of the terms, as a JSON string. A longer one is dropped,
  /// so that no waiting request keeps it.
  private static let longestAdmission = 4096

  /// - Returns: The string. If it is too long for any code or version, a short string that is neither.
  private static func admission(_ view: JSONView?) -> String? {
    view.flatMap { $0.source.count <= longestAdmission ? $0.string : "-" }
  }

  /// The most bytes of a display name as a JSON string: room for 120 code points that are typed as a base and several marks,
  /// each as two escapes.
  private static let longestName = 16_384

  /// - Returns: The text, or "" for null. Instead of a text that is too long for any display name, returns another
  ///   that is too long.
  static func displayName(_ view: JSONView?) -> String? {
    guard let view else { return nil }
    return view.source.count <= longestName ? view.string ?? "" : String(repeating: "-", count: longestAdmission)
  }

  static func read(_ parameters: Parameters, _ normalizer: any TextNormalizer) -> RegistrationEntry {
    RegistrationEntry(
      email: parameters[email]?.string, password: parameters[password]?.password(normalizer),
      passwordConfirmation: parameters[confirmation]?.password(normalizer),
      invitation: admission(parameters[invitation]), terms: admission(parameters[terms]),
      displayName: displayName(parameters[displayName]))
  }
}
