/// The sentences of one area, such as those about passwords: each case is a key of the catalogues, and its raw value is the
/// English sentence, as a template (see `Template`).
///
/// Each area has its own enumeration, so that the sentences are next to the code that uses them, and its cases are all keys of
/// the area: a catalogue with another key is refused, and a test checks that each key is translated and used.
package protocol SentenceKey: Sendable, Hashable, CaseIterable, RawRepresentable
where RawValue == String, AllCases == [Self] {
  /// The first part of the keys, for example `password`.
  static var area: String { get }
}

extension SentenceKey {
  /// The key in a catalogue, for example `password.tooShort`.
  package var name: String {
    guard let name = caseName(of: self) else { return "\(Self.area).\(self)" }
    return "\(Self.area).\(String(cString: name))"
  }
}

/// The name that `"\(key)"` gives for a case without values, directly from the function of Swift's runtime that the
/// interpolation calls in the end. Before that, the interpolation looks for four conformances of each enumeration among all of
/// the program's, which made regd's start, for which all names are needed, 7 ms slower. A test compares both names. A table
/// would cost nothing at the start, but would write each of a thousand keys twice.
@_silgen_name("swift_EnumCaseName")
private func caseName<Key: SentenceKey>(of key: Key) -> UnsafePointer<CChar>?
