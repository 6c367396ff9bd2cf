package import FullScreen
package import Linux
package import Localization
package import RegdClient
internal import SecureMemory

/// Runs a form on a terminal: sends keys to regd and draws what regd reports.
package final class FormOnTerminal {
  /// How the form ended.
  package enum End: Equatable, Sendable {
    /// regd accepted the submission of `email`. `params` are those of its notification.
    case welcome(email: String, params: JSONValue)
    /// The user left the form.
    case left
    /// A signal that ends the program. The caller has to raise it again.
    case signal(Signal)
  }

  private let conversation: RegdConversation
  private let screen: TerminalScreen
  private let glyphs: Glyphs
  private let language: Language
  private let number: Int
  private var form: ShownForm
  /// The number of the request to mail the code again, or nil if there was no such request.
  private var resend: Int?
  /// The number of the request for the operator's terms, or nil once it is answered.
  private var termsRequest: Int?
  private var keys = KeyReader()

  /// The longest wait for the rest of a key's bytes. Without more bytes the key was Escape.
  private static let sequenceTime: Duration = .milliseconds(50)

  /// Opens a form. Draws nothing yet.
  ///
  /// - Parameters:
  ///   - conversation: A conversation that was made with the user's language, if the user has one.
  ///   - language: The language of labels and buttons.
  /// - Throws: `RegdError` if regd refuses to open the form, else `RegdClientFailure`.
  package init(
    _ kind: FormKind, _ conversation: RegdConversation, _ screen: TerminalScreen, _ glyphs: Glyphs, _ language: Language
  ) throws {
    (self.conversation, self.screen, self.glyphs, self.language) = (conversation, screen, glyphs, language)
    try conversation.send("form.open", ["kind": .string(kind.rawValue)])
    var incoming = try conversation.receive()
    while case .notification = incoming { incoming = try conversation.receive() }
    guard case .reply(_, let result) = incoming else { throw RegdClientFailure.disconnected }
    let opened = try result.get()
    guard let number = opened["form"]?.integer, let state = FormState(opened["state"], kind) else {
      throw RegdClientFailure.notAReply(opened.text)
    }
    self.number = number
    form = ShownForm(kind, state)
    try askForTerms()
  }

  /// Shows the form until it ends. Restores the terminal, even if this throws.
  ///
  /// - Throws: `RegdClientFailure`, or `SystemError` if signals cannot be waited for.
  package func run() throws -> End { try show(SignalDescriptor(Signal.ofScreen)) }

  /// Returns with the terminal restored and the signals still blocked.
  private func show(_ signals: borrowing SignalDescriptor) throws(RegdClientFailure) -> End {
    screen.enter()
    defer { screen.leave() }
    while true {
      let size = screen.size
      screen.draw(FormView.draw(form, columns: size.columns, rows: size.rows, glyphs, language))
      if let end = try step(signals) { return end }
    }
  }

  /// Waits for a signal, a notification or a key, and handles it.
  private func step(_ signals: borrowing SignalDescriptor) throws(RegdClientFailure) -> End? {
    let ready = Polling.wait(
      for: [.readable(signals.number), .readable(conversation.descriptor), .readable(screen.number)],
      atMost: keys.isInsideSequence ? Self.sequenceTime : nil)
    guard ready.contains(true) else { return try press(keys.endSequence()) }
    if ready[0], let signal = signals.next(), let end = take(signal) { return end }
    if ready[1] {
      for incoming in try conversation.receiveAvailable() {
        if let end = take(incoming) { return end }
      }
      try askForTerms()
    }
    guard ready[2] else { return nil }
    guard var bytes = screen.read() else { return .signal(.hangUp) }
    defer { wipe(&bytes) }
    return try press(keys.read(bytes))
  }

  /// Handles a signal. A change of the window size needs nothing here, because the caller redraws after each step.
  private func take(_ signal: Signal) -> End? {
    if Signal.endings.contains(signal) { return .signal(signal) }
    if signal == .suspend { screen.suspend() }
    // another program may have changed the terminal meanwhile
    if signal == .resume { screen.enter() }
    return nil
  }

  private func take(_ incoming: RegdConversation.Incoming) -> End? {
    switch incoming {
    case .reply(let id, .success(let result)):
      if id != nil, id == resend { form.noteResent() }
      if id != nil, id == termsRequest { show(result["registration"]?["terms"]) }
    case .reply(_, .failure(let error)): form.refuse(error.message)
    case .notification(let method, let params):
      guard params?["form"]?.integer == number, let event = FormEvent(method, params, form.kind) else { return nil }
      form.take(event)
      if case .alert = event { screen.ring() }
      if event == .welcome { return .welcome(email: form.submittedEmail, params: params ?? nil) }
    }
    return nil
  }

  /// Asks regd for its terms, if the form needs them and does not have them.
  private func askForTerms() throws(RegdClientFailure) {
    guard form.lacksTerms, termsRequest == nil else { return }
    termsRequest = try conversation.send("rpc.serverInfo")
  }

  private func show(_ terms: JSONValue?) {
    termsRequest = nil
    // The version is missing if a reload of regd has just removed the terms. A new state of the form then follows.
    guard let version = terms?["version"]?.string else { return }
    form.show(.init(version: version, url: terms?["url"]?.string ?? ""))
  }

  private func press(_ keys: [Key]) throws(RegdClientFailure) -> End? {
    // if keys arrive together, as in a paste, regd gets only the resulting text of a field
    var typed: (field: FormKind.Field, text: String)?
    func sendTyped() throws(RegdClientFailure) {
      guard let change = typed else { return }
      typed = nil
      try conversation.send(
        "form.set",
        .object([.init("form", .number("\(number)")), .init(change.field.rawValue, .string(change.text))]))
    }
    for key in keys {
      let action = form.press(key)
      if case .set(let field, let text) = action {
        if typed?.field != field { try sendTyped() }
        typed = (field, text)
        continue
      }
      if action != nil { try sendTyped() }
      switch action {
      case nil, .set: continue
      case .suspend: screen.suspend()
      case .submit: try conversation.send("form.submit", ["form": .number("\(number)")])
      case .resend(let claim): resend = try conversation.send("claim.resend", ["claim": .string(claim)])
      case .redraw: screen.enter()
      case .leave: return .left
      case .interrupt: return .signal(.interrupt)
      }
    }
    try sendTyped()
    return nil
  }
}
