/// The messages of one language, as a file contains them.
package struct MessageCatalog: Equatable, Sendable {
  /// The language of the catalogue (BCP 47), for example `es-MX`.
  package let tag: LanguageTag
  /// The templates by key. A missing one is taken from another language.
  package let texts: [String: Template]

  package init(_ tag: LanguageTag, texts: [String: Template]) {
    self.tag = tag
    self.texts = texts
  }
}
