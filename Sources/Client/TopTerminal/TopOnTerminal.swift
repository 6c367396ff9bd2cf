package import FullScreen
package import Linux
internal import RegdClient

/// Runs `regctl top` on a terminal: queries regd at intervals, draws, handles keys, and reconnects after regd has gone.
package final class TopOnTerminal {
  /// How `regctl top` ended.
  package enum End: Equatable, Sendable {
    case quit
    /// A signal that ends the program. The caller has to raise it again.
    case signal(Signal)
  }

  private let partner: TopPartner
  private let screen: TerminalScreen
  private let glyphs: Glyphs
  private let clock = ContinuousClock.now
  private var state: TopState
  private var keys = KeyReader()
  /// The connection to regd, or nil while regd is unreachable.
  private var link: TopLink?
  private var backOff = BackOff()
  /// When to query next, or to reconnect.
  private var due: ContinuousClock.Instant

  /// The longest wait for the rest of a key's bytes. Without more bytes the key was Escape.
  private static let sequenceTime: Duration = .milliseconds(50)

  /// Connects, and waits for the first snapshot, but draws nothing yet.
  ///
  /// - Parameters:
  ///   - period: Seconds between snapshots.
  /// - Throws: `RegdClientFailure`, or `RegdError` if regd refuses, for example a caller that is not an administrator.
  package init(
    _ partner: TopPartner, period: Double, _ screen: TerminalScreen, _ glyphs: Glyphs
  ) throws {
    (self.partner, self.screen, self.glyphs) = (partner, screen, glyphs)
    state = TopState(socket: partner.path, period: period)
    due = .now
    let link = try TopLink(partner, clock: clock, withEvents: true)
    show(try link.next())
    self.link = link
    plan()
  }

  /// Shows the screen until it ends. Restores the terminal, even if this throws.
  ///
  /// - Throws: `SystemError` if signals cannot be waited for.
  package func run() throws(SystemError) -> End { show(try SignalDescriptor(Signal.ofScreen)) }

  /// Returns with the terminal restored and the signals still blocked.
  private func show(_ signals: borrowing SignalDescriptor) -> End {
    screen.enter()
    defer { screen.leave() }
    while true {
      draw()
      if let end = step(signals) { return end }
    }
  }

  private func draw() {
    let size = screen.size
    if case .lost(let reason, _) = state.link {
      state.link = .lost(reason: reason, retrySeconds: max(0, (due - .now) / .seconds(1)))
    }
    state.limitOffset(
      to: TopView.mostOffset(state, columns: size.columns, rows: size.rows, glyphs, partner.language))
    screen.draw(TopView.draw(state, columns: size.columns, rows: size.rows, glyphs, partner.language))
  }

  /// Waits for the first of a signal, a key, an answer and the next query, and handles it.
  private func step(_ signals: borrowing SignalDescriptor) -> End? {
    var interests: [Polling.Interest] = [.readable(signals.number), .readable(screen.number)]
    if let link { interests.append(.readable(link.descriptor)) }
    var limit = max(.zero, due - .now)
    // the screen counts down the seconds until the next attempt
    if link == nil { limit = min(limit, .seconds(1)) }
    if keys.isInsideSequence { limit = min(limit, Self.sequenceTime) }
    let ready = Polling.wait(for: interests, atMost: limit)
    if ready[0], let signal = signals.next(), let end = take(signal) { return end }
    if ready.count > 2, ready[2] { receive() }
    if due <= .now { ask() }
    if ready[1] {
      guard let bytes = screen.read() else { return .signal(.hangUp) }
      return press(keys.read(bytes))
    }
    return ready.contains(true) ? nil : press(keys.endSequence())
  }

  /// Handles a signal. A change of the window size needs nothing here, because the caller redraws after each step.
  private func take(_ signal: Signal) -> End? {
    if Signal.endings.contains(signal) { return .signal(signal) }
    if signal == .suspend { screen.suspend() }
    // another program may have changed the terminal meanwhile
    if signal == .resume { screen.enter() }
    return nil
  }

  private func press(_ keys: [Key]) -> End? {
    let period = state.period
    for key in keys {
      switch state.press(key) {
      case nil: continue
      case .quit: return .quit
      case .interrupt: return .signal(.interrupt)
      case .redraw: screen.enter()
      case .suspend: screen.suspend()
      }
    }
    if state.period != period, link != nil { plan() }
    return nil
  }

  // MARK: regd

  private func plan() { due = .now + .seconds(state.period) }

  private func show(_ snapshot: Snapshot) {
    UserNames.add(to: &state.names, snapshot)
    state.take(snapshot)
  }

  private func receive() {
    attempt {
      for incoming in try link?.receive() ?? [] {
        switch incoming {
        case .snapshot(let snapshot): show(snapshot)
        case .event(let line): state.take(event: line)
        }
      }
    }
  }

  /// Requests the next snapshot, or reconnects.
  private func ask() {
    attempt {
      if let link {
        if let since = link.waitsSince, .now - since > .seconds(partner.timeoutSeconds) {
          throw partner.noAnswer
        }
        try link.ask()
      } else {
        let link = try TopLink(partner, clock: clock, withEvents: true)
        try link.ask()
        self.link = link
        state.link = .connecting
        backOff.reset()
      }
      plan()
    }
  }

  /// Performs an action that needs regd. A failure closes the connection, and schedules the next attempt to connect.
  private func attempt(_ action: () throws -> Void) {
    do { try action() } catch {
      let pause = backOff.pause()
      link = nil
      due = .now + .seconds(pause)
      state.lose(partner.reason(of: error), retrySeconds: pause)
    }
  }
}
