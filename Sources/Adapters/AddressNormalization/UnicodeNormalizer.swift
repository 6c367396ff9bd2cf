internal import CIDN2
internal import CUnistring
internal import Registration
internal import SecureMemory

/// Normalizes Unicode texts and domain names with Debian's libunistring and libidn2.
///
/// The text may be a password, so libunistring's results and the stack that it used are wiped. One gap remains: for
/// texts of some hundred characters beyond ASCII, libunistring uses heap buffers, which it frees without wiping.
package struct UnicodeNormalizer: TextNormalizer {
  package init() {}

  package func composed(_ utf8: UnsafeRawBufferPointer) -> [UInt8] {
    if isASCII(utf8) { return [UInt8](utf8) }
    return transform(utf8, unistring_nfc)
  }

  package func folded(_ utf8: UnsafeRawBufferPointer) -> [UInt8] {
    if isASCII(utf8) { return utf8.map(lowercased) }
    // Case-folding can undo the normal form, and normalizing can undo the case-folding. A second pass makes the text
    // stable (UAX #15, §12).
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
    // an A-label (xn--…) in the input must decode to a label that encodes back to the same A-label
    return isConsistent(ascii) ? ascii : nil
  }

  private static let flags = Int32(IDN2_NONTRANSITIONAL.rawValue) | Int32(IDN2_NFC_INPUT.rawValue)

  /// Symbols that libidn2 accepts although they are DISALLOWED (RFC 5892 §2.6). libidn2's flag for the rules of STD 3
  /// does not help: with it, libidn2 drops the symbols silently, which yields another domain.
  private static let symbols: Set<Unicode.Scalar> = ["\u{2260}", "\u{226E}", "\u{226F}"]

  /// Composes the domain (NFC) first, because UTS #46 maps single characters before it composes, so that two
  /// canonically equal names could become two domains. Also replaces the capital sharp s by the small one, because UTS
  /// #46 mapped it to "ss" up to Unicode 15.0.
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

  /// The fast path, without a library: lower-cases an ASCII domain that has no A-label (xn--…). Returns nil for any
  /// other domain.
  private func plainDomain(_ domain: String) -> String? {
    guard domain.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let lower = domain.utf8.map(lowercased)
    // looks at bytes, because searching a String costs more than all the other work on an address
    let hasALabel = lower.split(separator: UInt8(ascii: ".")).contains { $0.starts(with: "xn--".utf8) }
    return hasALabel ? nil : String(decoding: lower, as: UTF8.self)
  }

  private func fold(_ utf8: UnsafeRawBufferPointer) -> [UInt8] {
    transform(utf8, unistring_nfkc_casefold)
  }

  /// Calls a libunistring function and copies the buffer that the function allocates. Then wipes and frees the buffer.
  private func transform(
    _ utf8: UnsafeRawBufferPointer,
    _ function: (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<Int>?) -> UnsafeMutablePointer<UInt8>?
  ) -> [UInt8] {
    var length = 0
    defer { unistring_wipe_stack() }
    guard let result = function(utf8.bindMemory(to: UInt8.self).baseAddress, utf8.count, &length) else {
      // The text is valid UTF-8, so the only possible cause is a lack of memory. Swift's own arrays also end the
      // process in that case. If this returned other bytes instead, one address would have two keys.
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
