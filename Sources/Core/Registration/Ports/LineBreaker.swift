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
