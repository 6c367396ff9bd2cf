/// A message with places for values, written in a subset of ICU's MessageFormat, which translators know.
///
/// - `{name}` is a place.
/// - `{name, plural, one {…} few {…} other {…}}` selects a form by the plural rules of the language (CLDR). `=0 {…}`
///   takes precedence, and `#` is replaced by the number within a form. `other` is required.
/// - An apostrophe before a brace quotes up to the next apostrophe: `'{'`. Two in a row mean one, as in `''{name}''`.
///   Any other apostrophe means itself.
package struct Template: Equatable, Sendable {
  package let parts: [Part]

  package enum Part: Equatable, Sendable {
    case text(String)
    case place(String)
    /// `#`: the number of the plural whose form contains it.
    case number
    case plural(String, forms: [Form])
  }

  package struct Form: Equatable, Sendable {
    /// The numbers that take this form, for example `one` or `=0`.
    package let selector: String
    package let parts: [Part]
  }

  /// Why a text is not a template.
  package enum Fault: Error, Equatable, Sendable {
    /// A brace is opened but not closed, or closed but not opened.
    case unbalanced
    /// The text between braces is neither a name nor a plural.
    case place(String)
    /// The selector of a form is invalid, or occurs twice.
    case form(String)
    /// `other` is missing.
    case withoutOther(String)
    /// Plurals are nested too deep.
    case tooDeep
  }

  /// The names of the template's places.
  package var places: Set<String> { Self.places(of: parts) }

  /// The first place that is not among the known names, or nil if all are known.
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

  /// The plurals, including nested ones: each with the name of the place that holds its number, and its forms.
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

  /// Makes a template without places that is this text.
  init(literal text: String) { parts = [.text(text)] }
}
