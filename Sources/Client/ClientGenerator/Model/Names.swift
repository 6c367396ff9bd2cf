/// Spells regd's names as each language does.
enum Names {
  /// `passwordConfirmation` becomes `password_confirmation`.
  static func snake(_ name: String) -> String {
    name.reduce(into: "") { text, letter in
      if letter.isUppercase, !text.isEmpty { text.append("_") }
      text += letter.isLetter || letter.isNumber ? letter.lowercased() : "_"
    }
  }

  /// `rpc.invalidParams` becomes `RPC_INVALID_PARAMS`.
  static func constant(_ name: String) -> String { snake(name).uppercased() }
}

extension [String] {
  /// The lines, each indented by this many spaces. Empty lines remain empty.
  func indented(by count: Int) -> [String] {
    map { $0.isEmpty ? $0 : String(repeating: " ", count: count) + $0 }
  }
}
