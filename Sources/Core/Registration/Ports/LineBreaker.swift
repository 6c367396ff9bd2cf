/// Breaks texts into lines as their scripts require. A pure function, like those of `TextNormalizer`.
package protocol LineBreaker: Sendable {
  /// The lines of a paragraph, each at most `width` columns wide if the text can be broken at all (UAX #14): between
  /// words, or between characters in scripts without spaces; never inside an isolate that begins with FIRST STRONG
  /// ISOLATE (UAX #9), nor at a hyphen.
  ///
  /// - Parameter paragraph: A text without line feeds.
  /// - Returns: The lines without the spaces at which they were broken; none for an empty paragraph.
  func lines(_ paragraph: String, width: Int) -> [String]
}
