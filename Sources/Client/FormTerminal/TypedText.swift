internal import FullScreen

/// The text of a field, with the cursor.
package struct TypedText: Equatable, Sendable {
  private(set) var before = ""
  private(set) var after = ""

  var text: String { before + after }

  /// The most bytes of a field: more than any address or password that regd accepts.
  static let limit = 16_000

  /// Whether the text has room for the edit.
  func hasRoom(for edit: Key.Edit) -> Bool {
    guard case .insert(let text) = edit else { return true }
    return before.utf8.count + after.utf8.count + text.utf8.count <= Self.limit
  }

  /// - Returns: Whether the text has changed.
  mutating func edit(_ edit: Key.Edit) -> Bool {
    let old = text
    switch edit {
    case .insert(let text): before += text
    case .backspace: _ = before.popLast()
    case .delete: if !after.isEmpty { after.removeFirst() }
    case .clear: (before, after) = ("", "")
    case .left: if let moved = before.popLast() { after = String(moved) + after }
    case .right: if !after.isEmpty { before.append(after.removeFirst()) }
    case .home: (before, after) = ("", text)
    case .end: (before, after) = (text, "")
    }
    return !old.utf8.elementsEqual(text.utf8)
  }
}
