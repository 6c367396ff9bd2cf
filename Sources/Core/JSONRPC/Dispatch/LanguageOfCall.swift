/// Finds the language in which a call is answered. Called only when a message for a person has to be written, as for
/// an error.
extension JSONView {
  /// The longest list of languages that is read, in bytes. Browsers send about 100.
  private static let longestRanges = 255

  /// This string, if it can be a list of languages, or nil if it is empty, too long, or has characters that cannot occur
  /// in such a list.
  package var languageRanges: String? {
    // the longest JSON spelling of one byte is an escape of six bytes
    guard kind == .string, source.count <= 6 * Self.longestRanges + 2, let text = string,
      (1...Self.longestRanges).contains(text.utf8.count), text.utf8.allSatisfy({ 0x20...0x7E ~= $0 || $0 == 0x09 })
    else { return nil }
    return text
  }
}

extension Parameters {
  /// The value of `language`. The method must declare that parameter.
  package var language: String? { self[.language]?.languageRanges }
}

extension Method {
  /// The value of `language`, even if other params are invalid, or nil for a method without that parameter.
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
