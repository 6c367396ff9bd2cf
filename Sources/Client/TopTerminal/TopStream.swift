package import FullScreen
internal import Linux
package import Localization
package import RegdClient

/// `regctl top` without a screen: passes one interval after the other to a closure.
package final class TopStream {
  private let partner: TopPartner
  private let period: Double
  private let clock = ContinuousClock.now
  private var state: TopState

  /// - Parameter period: Seconds between snapshots.
  package init(_ partner: TopPartner, period: Double) {
    self.partner = partner
    state = TopState(socket: partner.path, period: period)
    self.period = state.period
  }

  /// Calls `body` with each interval as JSON, and with a function that draws the screen's lines at that moment.
  ///
  /// - Parameters:
  ///   - body: Returns whether to continue.
  ///   - lost: Called with the reason each time that regd goes away, or that reconnecting fails.
  /// - Throws: If the first connection fails, `RegdClientFailure`, or `RegdError` if regd refuses. Afterwards, the errors
  ///   of `body`.
  package func run(_ body: (JSONValue, (Int, Glyphs) -> [String]) throws -> Bool, lost: (String) -> Void) throws {
    var backOff = BackOff()
    var link: TopLink? = try connect()
    while true {
      do {
        if link == nil { link = try connect() }
        ThisThread.sleep(for: .seconds(period))
        guard let snapshot = try link?.next() else { return }
        backOff.reset()
        state.take(snapshot)
      } catch {
        link = nil
        let pause = backOff.pause()
        state.lose("", retrySeconds: pause)
        lost(partner.reason(of: error))
        ThisThread.sleep(for: .seconds(pause))
        continue
      }
      if let snapshot = state.snapshot { UserNames.add(to: &state.names, snapshot) }
      guard let interval = state.interval, let snapshot = state.snapshot else { continue }
      guard try body(interval.json(snapshot), lines) else { return }
    }
  }

  /// Connects, and takes the snapshot with which the first interval begins.
  private func connect() throws -> TopLink {
    let link = try TopLink(partner, clock: clock, withEvents: false)
    state.take(try link.next())
    return link
  }

  /// The present screen, with as many rows as it needs and without the row of keys.
  private func lines(columns: Int, _ glyphs: Glyphs) -> [String] {
    let rows = 16 + (state.interval?.methods.count ?? 0) + (state.interval?.users.count ?? 0)
    let drawing = TopView.draw(
      state, columns: max(columns, TopView.smallest.columns), rows: max(rows, TopView.smallest.rows), glyphs,
      partner.language)
    return drawing.lines.dropLast().map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }.reversed().drop(while: \.isEmpty).reversed()
  }
}

/// The watched regd, and the language for regd's messages and the screen.
package struct TopPartner: Sendable {
  let path: String
  let timeoutSeconds: Int
  let language: Language
  private let wish: String?
  private let patience: Patience?
  private let silence: @Sendable () -> RegdClientFailure?

  /// - Parameters:
  ///   - path: The path of regd's socket.
  ///   - timeoutSeconds: How long regd may take to answer before it counts as lost.
  ///   - language: The screen's language.
  ///   - wish: The language to ask regd for (`RegdConversation`), or nil for none.
  ///   - patience: Finds out, while a call waits for a silent regd, whether waiting is pointless.
  ///   - silence: Finds out why regd has not answered in time, or returns nil if it finds no reason.
  package init(
    path: String, timeoutSeconds: Int, language: Language = .english, wish: String? = nil, patience: Patience? = nil,
    silence: @escaping @Sendable () -> RegdClientFailure? = { nil }
  ) {
    (self.path, self.timeoutSeconds, self.language, self.wish) = (path, timeoutSeconds, language, wish)
    (self.patience, self.silence) = (patience, silence)
  }

  func connect() throws(RegdClientFailure) -> RegdConversation {
    try RegdConversation(path: path, timeoutSeconds: timeoutSeconds, language: wish, patience: patience)
  }

  /// The failure to report for a regd that has not answered in time.
  var noAnswer: RegdClientFailure { silence() ?? .timedOut(seconds: timeoutSeconds) }

  func text(_ key: some MessageKey, _ values: KeyValuePairs<String, LocalizedMessage.Content> = [:]) -> String {
    language.text(of: LocalizedMessage(key, values))
  }

  /// Why regd is unreachable, or refuses.
  func reason(of error: any Error) -> String {
    switch error {
    case let error as RegdError:
      text(RefusalMessageKey.withReason, ["message": .text(error.message), "reason": .text(error.reason)])
    case let failure as RegdClientFailure: language.text(of: failure.briefSentence)
    default: "\(error)"
    }
  }
}

/// Looks up the names of users in the machine's user database.
enum UserNames {
  /// Adds the missing names of the snapshot's users, and "" for a user without a name, so that each user is looked up
  /// only once.
  static func add(to names: inout [Int: String], _ snapshot: Snapshot) {
    for user in snapshot.users where names[user.uid] == nil {
      names[user.uid] = UInt32(exactly: user.uid).flatMap { UserDatabase.name(ofUser: $0) } ?? ""
    }
  }
}
