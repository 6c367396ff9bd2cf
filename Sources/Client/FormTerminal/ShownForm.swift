package import FullScreen

/// State of the form on the screen: what regd reported last, what the user has typed, and the focus. regd decides what is
/// valid, whether the button can be pressed and what comes next.
package struct ShownForm: Equatable, Sendable {
  package let kind: FormKind
  package private(set) var state: FormState
  /// Whether regd is working on a submission.
  package private(set) var isActive = false
  /// The last message, until regd reports another state.
  package private(set) var message: String?
  /// The address in the form when regd began to work on the submission.
  package private(set) var submittedEmail = ""
  private var typed: [TypedText]
  /// Index of the field with the focus; one past the last field is the button.
  package private(set) var focus = 0

  package init(_ kind: FormKind, _ state: FormState) {
    self.kind = kind
    self.state = state
    message = state.errorMessage
    typed = kind.fields.map { _ in TypedText() }
  }

  func typed(at place: Int) -> TypedText { typed[place] }

  /// What a key asks of regd or of the program.
  package enum Action: Equatable, Sendable {
    case set(FormKind.Field, String)
    case submit
    case redraw
    case leave
    case interrupt
    case suspend
  }

  /// - Returns: What the caller has to do; nil for nothing but to draw the form again.
  package mutating func press(_ key: Key) -> Action? {
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

  /// Shows the error that regd answered to a request.
  package mutating func refuse(_ message: String) { self.message = message }
}
