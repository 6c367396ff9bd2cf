/// Sentences of one area, such as those of passwords: each case is a key of the catalogues, and its raw value the sentence in
/// English, as a template (see `Template`).
///
/// An enumeration of its own for each area keeps the sentences beside what says them, and its cases are all that there are: a
/// catalogue that has another key is refused, and a test sees to it that each is translated and used.
package protocol SentenceKey: Sendable, Hashable, CaseIterable, RawRepresentable
where RawValue == String, AllCases == [Self] {
  /// What the keys begin with, as `password`.
  static var area: String { get }
}

extension SentenceKey {
  /// As it stands in a catalogue: `password.tooShort`.
  package var name: String {
    guard let name = caseName(of: self) else { return "\(Self.area).\(self)" }
    return "\(Self.area).\(String(cString: name))"
  }
}

/// What `"\(key)"` says of a case without values, by the function of Swift's runtime that this ends in. On its way there it asks of each
/// enumeration whether it describes itself, in four ways, each time among all conformances of the program: a start, which needs all
/// names, took 7 ms longer. A test holds the two against each other.
@_silgen_name("swift_EnumCaseName")
private func caseName<Key: SentenceKey>(of key: Key) -> UnsafePointer<CChar>?
