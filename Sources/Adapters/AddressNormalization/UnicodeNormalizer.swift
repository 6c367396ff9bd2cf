internal import CIDN2
internal import CUnistring
internal import Registration
internal import Wiping

/// Unicode and domain names with Debian's libunistring and libidn2.
///
/// Results and the stack are wiped. For texts of some hundred characters beyond ASCII, libunistring uses buffers on the heap, and
/// frees them without wiping.
package struct UnicodeNormalizer: TextNormalizer {
  package init() {}

  package func composed(_ utf8: UnsafeRawBufferPointer) -> [UInt8] {
    if isASCII(utf8) { return [UInt8](utf8) }
    return transform(utf8, unistring_nfc)
  }

  package func folded(_ utf8: UnsafeRawBufferPointer) -> [UInt8] {
    if isASCII(utf8) { return utf8.map(lowercased) }
    // Folding can undo the normal form, and normalizing the folding; after the second pass the text is stable (UAX
    // #15, §12).
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
    // an A-label in the input must decode to a label that encodes to it again
    return isConsistent(ascii) ? ascii : nil
  }

  private static let flags = Int32(IDN2_NONTRANSITIONAL.rawValue) | Int32(IDN2_NFC_INPUT.rawValue)

  /// Symbols that libidn2 accepts although they are DISALLOWED (RFC 5892 §2.6). libidn2's flag for the rules of STD 3 would not
  /// reject them but silently drop them, which gives another domain.
  private static let symbols: Set<Unicode.Scalar> = ["\u{2260}", "\u{226E}", "\u{226F}"]

  /// Composes the domain first: UTS #46 maps single characters before it composes, so canonically equal names could become two
  /// domains. Also replaces the capital sharp s by the small one, because UTS #46 mapped it to "ss" up to Unicode 15.0.
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

  /// Lower-cases an ASCII domain without A-labels, as most are; nil for any other. Needs no library.
  private func plainDomain(_ domain: String) -> String? {
    guard domain.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let lower = domain.utf8.map(lowercased)
    // searching a String costs more than all the other work on an address
    let hasALabel = lower.split(separator: UInt8(ascii: ".")).contains { $0.starts(with: "xn--".utf8) }
    return hasALabel ? nil : String(decoding: lower, as: UTF8.self)
  }

  private func fold(_ utf8: UnsafeRawBufferPointer) -> [UInt8] {
    transform(utf8, unistring_nfkc_casefold)
  }

  /// Calls a libunistring function that allocates its result, copies the result, and wipes it.
  private func transform(
    _ utf8: UnsafeRawBufferPointer,
    _ function: (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<Int>?) -> UnsafeMutablePointer<UInt8>?
  ) -> [UInt8] {
    var length = 0
    defer { unistring_wipe_stack() }
    guard let result = function(utf8.bindMemory(to: UInt8.self).baseAddress, utf8.count, &length) else {
      // The text is valid UTF-8, so the only cause is a lack of memory. Swift's own arrays end the process then, too; any other
      // result would be a second key for the same address.
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
