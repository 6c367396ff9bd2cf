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

/// Breaks texts into lines as their scripts require. A pure function, like those of `TextNormalizer`.
package protocol LineBreaker: Sendable {
  /// Breaks a paragraph into lines of at most `width` columns (UAX #14): between words, or between characters in
  /// scripts without spaces, but neither at a hyphen nor inside an isolate that begins with FIRST STRONG ISOLATE (UAX
  /// #9). Only a text that cannot be broken makes a line wider.
  ///
  /// - Parameter paragraph: A text without line feeds.
  /// - Returns: The lines without the spaces at which they were broken. An empty paragraph has no lines.
  func lines(_ paragraph: String, width: Int) -> [String]
}
