/// In what language a call is to be answered. It is looked at where something is said only: mostly nothing is.
extension JSONView {
  /// Bytes of a list of languages that is looked at. What browsers send has some 100.
  private static let longestRanges = 255

  /// This string as a list of languages; nil for one that is too long, empty, or has other characters than such lists have, which
  /// counts as none.
  package var languageRanges: String? {
    // six bytes are the longest way to write one
    guard kind == .string, source.count <= 6 * Self.longestRanges + 2, let text = string,
      (1...Self.longestRanges).contains(text.utf8.count), text.utf8.allSatisfy({ 0x20...0x7E ~= $0 || $0 == 0x09 })
    else { return nil }
    return text
  }
}

extension Parameters {
  /// The method's `language`, which it must have.
  package var language: String? { self[.language]?.languageRanges }
}

extension Method {
  /// The `language` of params that may be wrong otherwise; nil for a method that has no such parameter.
  func language(in params: JSONView?) -> String? {
    guard let place = languagePlace, let params else { return nil }
    if params.kind == .object { return params.member(Parameter.language.name)?.languageRanges }
    var index = 0
    var found: JSONView?
    params.forEachElement { value in
      if index == place { found = value }
      index += 1
    }
    return found?.languageRanges
  }
}
