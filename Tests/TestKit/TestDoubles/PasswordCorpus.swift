/// Passwords for tests of code that passes them on byte by byte.
package enum PasswordCorpus {
  /// Passwords of each length from 1 to 256 characters, which together contain every byte of UTF-8 except NUL: all
  /// characters of one and two bytes, and one for each leading byte of three and four.
  package static let everyByte: [String] = {
    let scalars =
      (1...0x7FF).compactMap { UnicodeScalar($0) }
      + (0...15).compactMap { UnicodeScalar($0 == 0 ? 0x0801 : UInt32($0) << 12 | 0x41) }
      + [0x1_0041, 0x5_0041, 0x9_0041, 0xD_0041, 0x10_0041].compactMap { UnicodeScalar(UInt32($0)) }
    let characters = scalars.map { String($0) } + [" ", ":", "\t", "\"", "\\", "::", "\u{1}t"]
    return (1...256).map { length in
      (0..<length).map { characters[($0 * 257 + length * 31) % characters.count] }.joined()
    } + stride(from: 0, to: characters.count, by: 200).map { characters[$0..<min($0 + 200, characters.count)].joined() }
  }()
}
