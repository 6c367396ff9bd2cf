/// A sentence with places in it, in the part of ICU's MessageFormat that translators know best.
///
/// - `{name}` is a place.
/// - `{name, plural, one {…} few {…} other {…}}` chooses by the plural rules of the language (CLDR); `=0 {…}` goes before them, and
///   `#` stands for the number in a form. `other` is needed.
/// - An apostrophe in front of a brace quotes up to the next apostrophe: `'{'`. Two in a row are one, as in `''{name}''`; any other
///   apostrophe is one too.
package struct Template: Equatable, Sendable {
  package let parts: [Part]

  package enum Part: Equatable, Sendable {
    case text(String)
    case place(String)
    /// The number of the plural that this form belongs to.
    case number
    case plural(String, forms: [Form])
  }

  package struct Form: Equatable, Sendable {
    /// `one`, or `=0`.
    package let selector: String
    package let parts: [Part]
  }

  /// Why a text is no template.
  package enum Fault: Error, Equatable, Sendable {
    /// A brace is opened and not closed, or closed and not opened.
    case unbalanced
    /// What stands between braces is neither a name nor a plural.
    case place(String)
    /// A form's name is none of CLDR's, or stands there twice.
    case form(String)
    /// `other` is missing.
    case withoutOther(String)
    /// Plurals stand within each other's forms, too many.
    case tooDeep
  }

  /// The names of its places, sorted.
  package var places: Set<String> { Self.places(of: parts) }

  /// The first place that is none of these; nil if there is none.
  func place(notIn known: Set<String>) -> String? { Self.place(in: parts, notIn: known) }

  private static func place(in parts: [Part], notIn known: Set<String>) -> String? {
    for part in parts {
      switch part {
      case .text, .number: break
      case .place(let name): if !known.contains(name) { return name }
      case .plural(let name, let forms):
        guard known.contains(name) else { return name }
        for form in forms { if let unknown = place(in: form.parts, notIn: known) { return unknown } }
      }
    }
    return nil
  }

  private static func places(of parts: [Part]) -> Set<String> {
    parts.reduce(into: []) { names, part in
      switch part {
      case .text, .number: break
      case .place(let name): names.insert(name)
      case .plural(let name, let forms):
        names.insert(name)
        for form in forms { names.formUnion(places(of: form.parts)) }
      }
    }
  }

  /// The forms of each of its plurals, those within forms included, with the name of the number.
  package var plurals: [(name: String, forms: [Form])] { Self.plurals(in: parts) }

  private static func plurals(in parts: [Part]) -> [(name: String, forms: [Form])] {
    parts.flatMap { part -> [(name: String, forms: [Form])] in
      switch part {
      case .text, .number, .place: []
      case .plural(let name, let forms): [(name, forms)] + forms.flatMap { plurals(in: $0.parts) }
      }
    }
  }

  package init(_ text: String) throws(Fault) {
    guard !TemplateReader.isPlain(text) else {
      parts = text.isEmpty ? [] : [.text(text)]
      return
    }
    var reader = TemplateReader(text)
    parts = try reader.parts(inForm: false)
  }

  /// A text without places.
  init(literal text: String) { parts = [.text(text)] }
}
