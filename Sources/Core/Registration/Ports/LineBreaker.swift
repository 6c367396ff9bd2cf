/// Breaks texts into lines as their scripts want it. A pure function, as `TextNormalizer`'s are.
package protocol LineBreaker: Sendable {
  /// The lines of a paragraph, each of `width` columns at most where it can be broken at all (UAX #14): between words, and in scripts
  /// without spaces between characters; never within what a FIRST STRONG ISOLATE begins (UAX #9), nor at a hyphen.
  ///
  /// - Parameter paragraph: Without line feeds.
  /// - Returns: Without the spaces at which they were broken; none for an empty paragraph.
  func lines(_ paragraph: String, width: Int) -> [String]
}
