/// The messages of one area, such as those about passwords. The raw value of each case is an entry of the English
/// catalogue: the key, a colon, a space, and the message as a template (see `Template`).
///
/// Each area has its own enumeration, so that the compiler knows the keys. The last part of a key is the name of its
/// case. The other parts are the same in the whole enumeration. A test checks this, and that each key is translated
/// and used.
package protocol MessageKey: Sendable, Hashable, CaseIterable, RawRepresentable
where RawValue == String, AllCases == [Self] {}

extension MessageKey {
  /// The key in a catalogue, for example `password.tooShort`. Cut from the raw value: regd needs all names at its start,
  /// and interpolating the case instead would take 100 times as long.
  package var name: String { String(rawValue[..<colon]) }

  /// The English message, as a template.
  package var english: String {
    let utf8 = rawValue.utf8
    return String(rawValue[(utf8.index(colon, offsetBy: 2, limitedBy: utf8.endIndex) ?? utf8.endIndex)...])
  }

  private var colon: String.Index { rawValue.utf8.firstIndex(of: UInt8(ascii: ":")) ?? rawValue.endIndex }

  /// The parts that all keys of the enumeration have in common, for example `password`.
  package static var area: String {
    let name = allCases.first?.name ?? ""
    return String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)])
  }
}
