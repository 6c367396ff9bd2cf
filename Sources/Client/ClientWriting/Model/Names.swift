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

/// Fills the template of a client: replaces each `@@NAME@@` with the part of that name.
enum Template {
  static func filled(_ template: String, _ places: [String: String]) -> String {
    template.split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in
        guard line.contains("@@") else { return String(line) }
        return places.reduce(String(line)) { $0.replacing("@@\($1.key)@@", with: $1.value) }
      }
      .joined(separator: "\n") + "\n"
  }
}

extension [String] {
  /// The lines, each indented by this many spaces. Empty lines remain empty.
  func indented(by count: Int) -> [String] {
    map { $0.isEmpty ? $0 : String(repeating: " ", count: count) + $0 }
  }
}
