/// The keys that screens use.
package enum Key: Equatable, Sendable {
  /// Changes the text field with the focus.
  package enum Edit: Equatable, Sendable {
    case insert(String)
    case backspace, delete, clear
    case left, right, home, end
  }

  case edit(Edit)
  case next, previous
  case enter
  case redraw
  case leave
  case suspend
  case interrupt
  /// Bytes that are neither a character nor a known key.
  case unreadable
}
