package import Linux
package import RegdClient

/// A form of regd's on a terminal: keys go to regd, and what regd tells is drawn.
package final class FormOnTerminal {
  /// How it ended.
  package enum End: Equatable, Sendable {
    /// regd led on to the welcome, with the address that was submitted; and how regd told it.
    case welcome(email: String, told: JSONValue)
    /// The user left it.
    case left
    /// A signal, which is still to do what it does.
    case signal(Signal)
  }

  private let conversation: RegdConversation
  private let screen: TerminalScreen
  private let glyphs: Glyphs
  private let number: Int
  private var form: ShownForm
  private var keys = KeyReader()

  /// How long the rest of a key's bytes may take; without them it was the Escape key.
  private static let sequenceTime: Duration = .milliseconds(50)

  /// Opens a form; nothing is drawn yet.
  ///
  /// - Throws: `RegdError` where regd refuses it, else `RegdClientFailure`.
  package init(
    _ kind: FormKind, _ conversation: RegdConversation, _ screen: TerminalScreen, _ glyphs: Glyphs
  ) throws {
    (self.conversation, self.screen, self.glyphs) = (conversation, screen, glyphs)
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
  }

  /// Shows the form until it ends; the terminal is then as it was before, also where this throws.
  ///
  /// - Throws: `RegdClientFailure`; `SystemError` where signals cannot be waited for.
  package func run() throws -> End { try show(SignalDescriptor(Signal.ofScreen)) }

  /// Lets signals do what they do only when the terminal is as it was before.
  private func show(_ signals: borrowing SignalDescriptor) throws(RegdClientFailure) -> End {
    screen.enter()
    defer { screen.leave() }
    while true {
      let size = screen.size
      screen.draw(FormView.draw(form, columns: size.columns, rows: size.rows, glyphs))
      if let end = try step(signals) { return end }
    }
  }

  /// Waits until something happens, and takes part in it.
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
    }
    guard ready[2] else { return nil }
    guard let bytes = screen.read() else { return .signal(.hangUp) }
    return try press(keys.read(bytes))
  }

  /// Another size needs nothing but the drawing that follows.
  private func take(_ signal: Signal) -> End? {
    if Signal.endings.contains(signal) { return .signal(signal) }
    if signal == .suspend { suspend() }
    // another program may have changed the terminal meanwhile
    if signal == .resume { screen.enter() }
    return nil
  }

  /// Stops the process, with the terminal as it was, until another process continues it (SIGCONT).
  private func suspend() {
    screen.leave()
    Signal.stop.send(to: ThisProcess.id)
    screen.enter()
  }

  private func take(_ incoming: RegdConversation.Incoming) -> End? {
    switch incoming {
    case .reply(_, .success): return nil
    case .reply(_, .failure(let error)): form.refuse(error.message)
    case .notification(let method, let params):
      guard params?["form"]?.integer == number, let event = FormEvent(method, params, form.kind) else { return nil }
      form.take(event)
      if case .alert = event { screen.ring() }
      if event == .navigate { return .welcome(email: form.submittedEmail, told: params ?? nil) }
    }
    return nil
  }

  private func press(_ keys: [Key]) throws(RegdClientFailure) -> End? {
    // of what came at once, as a paste does, the last state of a field is enough
    var typed: (field: FormKind.Field, text: String)?
    func tell() throws(RegdClientFailure) {
      guard let told = typed else { return }
      typed = nil
      try conversation.send(
        "form.set",
        .object([.init("form", .number("\(number)")), .init(told.field.rawValue, .string(told.text))]))
    }
    for key in keys {
      let wish = form.press(key)
      if case .set(let field, let text) = wish {
        if typed?.field != field { try tell() }
        typed = (field, text)
        continue
      }
      if wish != nil { try tell() }
      switch wish {
      case nil, .set: continue
      case .suspend: suspend()
      case .submit: try conversation.send("form.submit", ["form": .number("\(number)")])
      case .redraw: screen.enter()
      case .leave: return .left
      case .interrupt: return .signal(.interrupt)
      }
    }
    try tell()
    return nil
  }
}
