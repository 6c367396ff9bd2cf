package import FullScreen
package import Localization

/// The state of the form on the screen: regd's last report, the user's typed text, and the focus. regd decides which entries
/// are valid, whether the button can be pressed, and what comes next.
package struct ShownForm: Equatable, Sendable {
  package let kind: FormKind
  package private(set) var state: FormState
  /// Whether regd is working on a submission.
  package private(set) var isActive = false
  /// The last error message. A new state of the form replaces it.
  package private(set) var message: Message?
  /// The last success message. Other news removes it.
  package private(set) var notice: LocalizedMessage?
  /// The address of the last submission: the claim's, or the form's if there was no claim. It is "" before the first
  /// submission.
  package private(set) var submittedEmail = ""
  private var typed: [FormKind.Field: TypedText] = [:]
  /// The operator's terms, if the form needs them and regd has sent them.
  package private(set) var terms: Terms?
  /// Whether the user accepts `terms`.
  private(set) var acceptsTerms = false
  /// The index of the field with the focus. The buttons come after the last field.
  package private(set) var focus = 0

  package init(_ kind: FormKind, _ state: FormState) {
    self.kind = kind
    self.state = state
    message = state.errorMessage.map(Message.told)
  }

  /// A message about something wrong.
  package enum Message: Equatable, Sendable {
    /// A message by regd, in the user's language.
    case told(String)
    case said(LocalizedMessage)
  }

  /// The operator's terms in force (`rpc.serverInfo`).
  package struct Terms: Equatable, Sendable {
    let version: String
    /// The address of the terms' text. May be empty.
    let url: String

    package init(version: String, url: String) { (self.version, self.url) = (version, url) }
  }

  /// Whether the form needs terms that regd has not sent, or that regd has replaced since the user accepted them.
  package var lacksTerms: Bool {
    state.needs.contains(.terms)
      && (terms == nil || acceptsTerms && state.problems.contains { $0.field == FormKind.Field.terms.rawValue })
  }

  /// Shows these terms, as not accepted yet. A no-op if the form shows them already.
  package mutating func show(_ terms: Terms) {
    guard terms != self.terms else { return }
    (self.terms, acceptsTerms) = (terms, false)
  }

  var screen: FormScreen { FormScreen(kind: kind, claim: state.claim, needs: state.needs) }

  func typed(in field: FormKind.Field) -> TypedText { typed[field] ?? TypedText() }

  /// The effect of a key on regd or on the program.
  package enum Action: Equatable, Sendable {
    case set(FormKind.Field, String)
    case submit
    /// Mail the code of this claim again.
    case resend(claim: String)
    case redraw
    case leave
    case interrupt
    case suspend
  }

  /// - Returns: The action for the caller, or nil if the caller only has to redraw the form.
  package mutating func press(_ key: Key) -> Action? {
    let fields = screen.fields
    let places = fields.count + (state.claim == nil ? 1 : 2)
    switch key {
    case .edit(let edit):
      guard focus < fields.count else { return nil }
      return fields[focus] == .terms ? tick(edit) : change(fields[focus], edit)
    case .enter where focus == fields.count: return .submit
    case .enter where focus > fields.count: return state.claim.map { .resend(claim: $0.id) }
    case .enter, .next: focus = (focus + 1) % places
    case .previous: focus = (focus + places - 1) % places
    case .redraw: return .redraw
    case .leave: return .leave
    case .interrupt: return .interrupt
    case .suspend: return .suspend
    case .unreadable: message = .said(LocalizedMessage(FormScreenMessageKey.notUTF8))
    }
    return nil
  }

  private mutating func tick(_ edit: Key.Edit) -> Action? {
    guard let terms else { return nil }
    switch edit {
    case .insert(" "), .insert("x"), .insert("X"): acceptsTerms.toggle()
    case .backspace, .delete, .clear: acceptsTerms = false
    case .insert, .left, .right, .home, .end: return nil
    }
    return .set(.terms, acceptsTerms ? terms.version : "")
  }

  private mutating func change(_ field: FormKind.Field, _ edit: Key.Edit) -> Action? {
    var text = typed(in: field)
    guard text.hasRoom(for: edit) else {
      message = .said(LocalizedMessage(FormScreenMessageKey.noRoom))
      return nil
    }
    let hasChanged = text.edit(edit)
    typed[field] = text
    return hasChanged ? .set(field, text.text) : nil
  }

  package mutating func take(_ event: FormEvent) {
    switch event {
    case .changed(let state): take(state)
    case .activityStarted: (isActive, notice, submittedEmail) = (true, nil, state.claim?.email ?? state.email)
    case .activityEnded: isActive = false
    case .alert(let message): self.message = .told(message)
    case .goOn, .welcome: break
    }
  }

  private mutating func take(_ state: FormState) {
    let fields = screen.fields
    let focused = focus < fields.count ? fields[focus] : nil
    let before = self.state.claim?.id
    (self.state, message, notice) = (state, state.errorMessage.map(Message.told), nil)
    guard state.claim?.id != before else {
      // keeps the focus on its field, because a reload of regd may have added or removed fields
      focus = focused.map { screen.fields.firstIndex(of: $0) ?? 0 } ?? (focus - fields.count + screen.fields.count)
      return
    }
    // The screen changes. A new claim moves the focus to the code's field. Without a claim, the focused field keeps the
    // focus.
    typed[.code] = nil
    let field = state.claim == nil ? focused : .code
    focus = field.flatMap { screen.fields.firstIndex(of: $0) } ?? 0
  }

  /// Shows the error with which regd answered a request.
  package mutating func refuse(_ message: String) { (self.message, notice) = (.told(message), nil) }

  /// Shows that the code was mailed again.
  package mutating func noteResent() { (message, notice) = (nil, LocalizedMessage(FormScreenMessageKey.codeAgain)) }
}

/// The kinds of forms. The raw values are regd's names.
package enum FormKind: String, CaseIterable, Sendable {
  case registration, signIn, recovery

  /// The fields of forms. The raw values are regd's names.
  package enum Field: String, CaseIterable, Sendable {
    case email, password, passwordConfirmation, code, invitation, terms

    /// The fields that the configuration may require.
    static let asked: [Field] = [.invitation, .terms]

    /// Whether the screen hides the typed text.
    var isSecret: Bool {
      switch self {
      case .password, .passwordConfirmation: true
      case .email, .code, .invitation, .terms: false
      }
    }
  }

  /// The member of regd's form state that shows whether the submit button is enabled.
  var enabledMember: String {
    switch self {
    case .registration: "registrationEnabled"
    case .signIn: "signInEnabled"
    case .recovery: "recoveryEnabled"
    }
  }
}

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
