internal import Localization

/// A name by which an account's owner wants to be called: 1 to `longest` code points in Normalization Form C, without white
/// space at its ends. It does not identify a person, and two accounts may have the same one.
package struct DisplayName: Hashable, Sendable {
  package let text: String

  /// The most Unicode code points.
  package static let longest = 120

  /// - Parameter stored: The `text` of another value.
  package init(stored: String) { text = stored }

  /// Reads a typed name: removes white space at its ends, and composes it.
  ///
  /// - Returns: Nil for nil and "", which mean no name. Otherwise the name, or every rule that it breaks.
  package static func check(
    _ typed: String?, _ normalizer: any TextNormalizer
  ) -> Result<DisplayName, DisplayNameRefusal>? {
    guard let typed, !typed.isEmpty else { return nil }
    let text = trimmed(typed)
    // a composed text has at least a quarter of its code points (UAX #15), so a longer one is not worth composing
    let isHuge = text.unicodeScalars.count > 8 * longest
    let name = isHuge ? text : composed(text, normalizer)
    var problems: [Problem] = []
    if isHuge || name.unicodeScalars.count > longest {
      problems.append(
        Problem(
          .displayName, .displayNameTooLong,
          LocalizedMessage(DisplayNameMessageKey.tooLong, ["limit": .number(longest)])))
    }
    if !isReadable(name) {
      problems.append(Problem(.displayName, .displayNameInvalid, LocalizedMessage(DisplayNameMessageKey.invalid)))
    }
    guard problems.isEmpty else { return .failure(DisplayNameRefusal(problems: problems)) }
    return .success(DisplayName(stored: name))
  }

  private static func trimmed(_ typed: String) -> String {
    let scalars = typed.unicodeScalars
    guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let end = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[start...end])
  }

  private static func composed(_ text: String, _ normalizer: any TextNormalizer) -> String {
    var text = text
    return String(decoding: text.withUTF8 { normalizer.composed(UnsafeRawBufferPointer($0)) }, as: UTF8.self)
  }

  /// Whether the name has something to see, nothing that hides, and no control of direction that affects what follows the name.
  private static func isReadable(_ name: String) -> Bool {
    var directions = OpenDirections()
    var isVisible = false
    for scalar in name.unicodeScalars {
      let isDirection = directions.take(scalar)
      guard isDirection || isAllowed(scalar) else { return false }
      isVisible = isVisible || !isDirection && isSeen(scalar)
    }
    return isVisible && directions.areClosed
  }

  private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.properties.isWhitespace && !isMark(scalar) && !InvisibleCharacters.contains(scalar)
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    if isMark(scalar) { return true }
    // White space that is not a line break. A no-break space belongs to some spellings.
    if scalar.properties.generalCategory == .spaceSeparator { return true }
    if scalar.properties.isNoncharacterCodePoint { return false }
    // an emoji of a later version of Unicode is not assigned yet
    if scalar.properties.generalCategory == .unassigned { return !scalar.properties.isDefaultIgnorableCodePoint }
    return !InvisibleCharacters.contains(scalar)
  }

  /// Joiners and marks of direction, which names of some scripts need, and variation selectors, which emoji need.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    ("\u{200C}"..."\u{200F}").contains(scalar) || scalar.properties.isVariationSelector
  }
}

/// Every rule that a display name breaks.
package struct DisplayNameRefusal: Error, Equatable, Sendable {
  package let problems: [Problem]
}

extension Result<DisplayName, DisplayNameRefusal> {
  /// The rules that the name breaks.
  var problems: [Problem] { if case .failure(let refusal) = self { refusal.problems } else { [] } }
}

/// The bidirectional controls of a text that have no end yet (UAX #9, 3.1.2).
private struct OpenDirections {
  /// For each open control whether it is an isolate.
  private var isolates: [Bool] = []
  private var hasStrayEnd = false

  var areClosed: Bool { isolates.isEmpty && !hasStrayEnd }

  /// - Returns: Whether the scalar is such a control.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x202A, 0x202B, 0x202D, 0x202E: isolates.append(false)
    case 0x2066...0x2068: isolates.append(true)
    case 0x202C: close(isolate: false)
    case 0x2069: close(isolate: true)
    default: return false
    }
    return true
  }

  private mutating func close(isolate: Bool) {
    if isolates.last == isolate { isolates.removeLast() } else { hasStrayEnd = true }
  }
}
