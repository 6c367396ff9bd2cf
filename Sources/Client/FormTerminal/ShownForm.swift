/// Everything that a form on a terminal has to keep: what regd told last, what is typed, and where. It decides nothing;
/// what is valid, what the button does and where to go next is regd's to say.
package struct ShownForm: Equatable, Sendable {
  package let kind: FormKind
  package private(set) var state: FormState
  /// Whether regd works on what was submitted.
  package private(set) var isActive = false
  /// What there is to say, until regd tells another state.
  package private(set) var message: String?
  /// The address that was in the form when regd began to work on it.
  package private(set) var submittedEmail = ""
  private var typed: [TypedText]
  /// A field's place; behind the fields it is the button's.
  package private(set) var focus = 0

  package init(_ kind: FormKind, _ state: FormState) {
    self.kind = kind
    self.state = state
    message = state.errorMessage
    typed = kind.fields.map { _ in TypedText() }
  }

  func typed(at place: Int) -> TypedText { typed[place] }

  /// What somebody at the keyboard wants of regd, or of the program.
  package enum Wish: Equatable, Sendable {
    case set(FormKind.Field, String)
    case submit
    case redraw
    case leave
    case interrupt
    case suspend
  }

  /// - Returns: What is to be done; nil where that is nothing, or the terminal's own.
  package mutating func press(_ key: Key) -> Wish? {
    let places = typed.count + 1
    switch key {
    case .edit(let edit):
      guard focus < typed.count else { return nil }
      guard typed[focus].hasRoom(for: edit) else {
        message = "There is no room for more in this field."
        return nil
      }
      guard typed[focus].edit(edit) else { return nil }
      return .set(kind.fields[focus], typed[focus].text)
    case .enter where focus == typed.count: return .submit
    case .enter, .next: focus = (focus + 1) % places
    case .previous: focus = (focus + places - 1) % places
    case .redraw: return .redraw
    case .leave: return .leave
    case .interrupt: return .interrupt
    case .suspend: return .suspend
    case .unreadable: message = "What was typed is no UTF-8, and was passed over."
    }
    return nil
  }

  package mutating func take(_ event: FormEvent) {
    switch event {
    case .changed(let state): (self.state, message) = (state, state.errorMessage)
    case .activityStarted: (isActive, submittedEmail) = (true, state.email)
    case .activityEnded: isActive = false
    case .alert(let message): self.message = message
    case .navigate: break
    }
  }

  /// regd has refused a request itself.
  package mutating func refuse(_ message: String) { self.message = message }
}
