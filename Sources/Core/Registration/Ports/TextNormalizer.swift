/// What registering needs to know of Unicode and of domain names. Pure functions without I/O: they do not fail, do not
/// suspend, and know no cancellation. A library that has no memory left ends the process.
///
/// The functions on bytes may be given a password: an implementation leaves as little behind as its library lets it.
package protocol TextNormalizer: Sendable {
  /// Normalization form C (UAX #15) of valid UTF-8.
  func composed(_ utf8: UnsafeRawBufferPointer) -> [UInt8]

  /// NFKC and full case folding (Unicode §3.13 and UAX #15) of valid UTF-8: "Ａ", "A" and "a" become one.
  func folded(_ utf8: UnsafeRawBufferPointer) -> [UInt8]

  /// A domain in lower-case A-labels (IDNA2008 with the mappings of UTS #46, non-transitional), or nil where it has none.
  func asciiDomain(_ domain: String) -> String?
}

extension TextNormalizer {
  func folded(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { folded(UnsafeRawBufferPointer($0)) }
  }
}
