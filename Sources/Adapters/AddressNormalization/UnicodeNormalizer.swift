internal import CIDN2
internal import CUnistring
internal import Registration
internal import Wiping

/// Unicode and domain names as Debian's libunistring and libidn2 know them.
///
/// Results and the stack are wiped. What libunistring puts on the heap in between, for texts of some hundred characters
/// beyond ASCII, it frees as it is.
package struct UnicodeNormalizer: TextNormalizer {
  package init() {}

  package func composed(_ utf8: UnsafeRawBufferPointer) -> [UInt8] {
    if isASCII(utf8) { return [UInt8](utf8) }
    return transform(utf8, unistring_nfc)
  }

  package func folded(_ utf8: UnsafeRawBufferPointer) -> [UInt8] {
    if isASCII(utf8) { return utf8.map(lowercased) }
    // Folding can undo the normal form and the other way round; after the second time nothing changes (UAX #15, §12).
    var once = fold(utf8)
    defer { wipe(&once) }
    return once.withUnsafeBytes { fold($0) }
  }

  package func asciiDomain(_ domain: String) -> String? {
    if let plain = plainDomain(domain) { return plain }
    guard !domain.utf8.contains(0) else { return nil }
    var result: UnsafeMutablePointer<CChar>?
    let failure = idn2_to_ascii_8z(mappable(domain), &result, Self.flags)
    guard failure == IDN2_OK.rawValue, let result else { return nil }
    defer { idn2_free(result) }
    let ascii = String(cString: result)
    // an A-label that came as such must decode to something that encodes to it again
    return isConsistent(ascii) ? ascii : nil
  }

  private static let flags = Int32(IDN2_NONTRANSITIONAL.rawValue) | Int32(IDN2_NFC_INPUT.rawValue)

  /// Symbols, and so DISALLOWED (RFC 5892 §2.6), that libidn2 lets pass; with its flag for the rules of STD 3 it drops them
  /// without a word, which makes another domain.
  private static let symbols: Set<Unicode.Scalar> = ["\u{2260}", "\u{226E}", "\u{226F}"]

  /// UTS #46 maps character by character and composes afterwards, so that what is canonically the same could become two
  /// domains; and up to Unicode 15.0 it made "ss" of the capital sharp s, whose small letter it keeps.
  private func mappable(_ domain: String) -> String {
    var domain = domain
    let nfc = String(decoding: domain.withUTF8 { composed(UnsafeRawBufferPointer($0)) }, as: UTF8.self)
    var scalars = String.UnicodeScalarView()
    for scalar in nfc.unicodeScalars { scalars.append(scalar == "\u{1E9E}" ? "\u{DF}" : scalar) }
    return String(scalars)
  }

  private func isConsistent(_ ascii: String) -> Bool {
    var unicode: UnsafeMutablePointer<CChar>?
    guard idn2_to_unicode_8z8z(ascii, &unicode, 0) == IDN2_OK.rawValue, let unicode else { return false }
    defer { idn2_free(unicode) }
    guard String(cString: unicode).unicodeScalars.allSatisfy({ !Self.symbols.contains($0) }) else { return false }
    var again: UnsafeMutablePointer<CChar>?
    guard idn2_to_ascii_8z(unicode, &again, Self.flags) == IDN2_OK.rawValue, let again else { return false }
    defer { idn2_free(again) }
    return String(cString: again) == ascii
  }

  /// Most domains are ASCII without A-labels and need no library.
  private func plainDomain(_ domain: String) -> String? {
    guard domain.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let lower = domain.utf8.map(lowercased)
    // a search in a String costs more than all the rest that there is to an address
    let hasALabel = lower.split(separator: UInt8(ascii: ".")).contains { $0.starts(with: "xn--".utf8) }
    return hasALabel ? nil : String(decoding: lower, as: UTF8.self)
  }

  private func fold(_ utf8: UnsafeRawBufferPointer) -> [UInt8] {
    transform(utf8, unistring_nfkc_casefold)
  }

  /// Calls a libunistring function that allocates its result, and wipes that after copying it.
  private func transform(
    _ utf8: UnsafeRawBufferPointer,
    _ function: (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<Int>?) -> UnsafeMutablePointer<UInt8>?
  ) -> [UInt8] {
    var length = 0
    defer { unistring_wipe_stack() }
    guard let result = function(utf8.bindMemory(to: UInt8.self).baseAddress, utf8.count, &length) else {
      // The text is valid UTF-8, so what is left is that there is no memory. Swift's own arrays end the process then;
      // another answer would be a second key for an address.
      fatalError("libunistring: Cannot allocate memory")
    }
    defer {
      wipe(UnsafeMutableRawBufferPointer(start: result, count: length))
      unistring_free(result)
    }
    return [UInt8](UnsafeBufferPointer(start: result, count: length))
  }

  private func isASCII(_ utf8: UnsafeRawBufferPointer) -> Bool { utf8.allSatisfy { $0 < 0x80 } }

  private func lowercased(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }
}
