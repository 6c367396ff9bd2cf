/// The functions on Unicode and domain names that registering needs. They are pure and do no I/O: they neither fail nor
/// suspend, and ignore cancellation. If the library behind them runs out of memory, it ends the process.
///
/// The functions on bytes may get a password, so an implementation leaves as few copies in memory as its library
/// allows.
package protocol TextNormalizer: Sendable {
  /// Normalization form C (UAX #15) of valid UTF-8.
  func composed(_ utf8: UnsafeRawBufferPointer) -> [UInt8]

  /// NFKC and full case folding (Unicode §3.13 and UAX #15) of valid UTF-8: "Ａ", "A" and "a" become one.
  func folded(_ utf8: UnsafeRawBufferPointer) -> [UInt8]

  /// A domain in lower-case A-labels (IDNA2008 with the mappings of UTS #46, non-transitional), or nil if the domain is
  /// invalid.
  func asciiDomain(_ domain: String) -> String?
}

extension TextNormalizer {
  func folded(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { folded(UnsafeRawBufferPointer($0)) }
  }
}
