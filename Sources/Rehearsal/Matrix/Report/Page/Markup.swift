/// HTML. A `String` enters only by interpolation, which escapes it: `"<b>\(text)</b>"`.
struct Markup: ExpressibleByStringInterpolation {
  private(set) var html: String

  init(stringLiteral literal: String) { html = literal }
  init(stringInterpolation interpolation: StringInterpolation) { html = interpolation.html }

  static func += (a: inout Self, b: Self) { a.html += b.html }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate(set) var html = ""

    init(literalCapacity: Int, interpolationCount: Int) { html.reserveCapacity(literalCapacity * 2) }

    mutating func appendLiteral(_ literal: String) { html += literal }
    mutating func appendInterpolation(_ markup: Markup) { html += markup.html }
    mutating func appendInterpolation(_ parts: [Markup]) { for part in parts { html += part.html } }
    mutating func appendInterpolation(_ number: Int) { html += String(number) }
    /// Escapes for an element's content and for an attribute in either kind of quotes.
    mutating func appendInterpolation(_ text: String) {
      for scalar in VisibleText.of(text).unicodeScalars {
        switch scalar {
        case "&": html += "&amp;"
        case "<": html += "&lt;"
        case ">": html += "&gt;"
        case "\"": html += "&quot;"
        case "'": html += "&#39;"
        default: html.unicodeScalars.append(scalar)
        }
      }
    }
  }
}

extension [Markup] {
  func joined(_ separator: Markup) -> Markup {
    reduce(into: (markup: "" as Markup, isFirst: true)) { joined, part in
      joined.markup += joined.isFirst ? part : "\(separator)\(part)"
      joined.isFirst = false
    }.markup
  }
}
