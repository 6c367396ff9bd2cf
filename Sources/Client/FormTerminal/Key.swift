/// What somebody does at a keyboard, as far as a form has a use for it.
package enum Key: Equatable, Sendable {
  /// Something in the field that has the focus.
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
  /// Bytes that are no character.
  case unreadable
}
