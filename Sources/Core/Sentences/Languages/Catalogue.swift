/// The sentences of one language, as a file has them.
package struct Catalogue: Equatable, Sendable {
  /// Its language, as BCP 47 has it: `es-MX`.
  package let tag: LanguageTag
  /// The templates by key. What is missing is said as another language has it.
  package let texts: [String: Template]

  package init(_ tag: LanguageTag, texts: [String: Template]) {
    self.tag = tag
    self.texts = texts
  }
}
