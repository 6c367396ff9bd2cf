internal import Localization
internal import RegdClient

/// A connection to regd that requests status and metrics, and receives events. May be used by one thread at a time.
final class TopLink {
  enum Incoming {
    case snapshot(Snapshot)
    /// An event, formatted as a line.
    case event(String)
  }

  private let partner: TopPartner
  private let conversation: RegdConversation
  private let clock: ContinuousClock.Instant
  private var statusRequest: Int?
  private var metricsRequest: Int?
  private var subscription: Int?
  private var status: JSONValue?
  private var asked: ContinuousClock.Instant?

  /// - Parameter clock: The instant at which the seconds in snapshots start.
  /// - Throws: `.cannotConnect`, or the failures of `RegdConversation.send`.
  init(_ partner: TopPartner, clock: ContinuousClock.Instant, withEvents: Bool) throws(RegdClientFailure) {
    self.partner = partner
    conversation = try partner.connect()
    self.clock = clock
    if withEvents { subscription = try conversation.send("events.subscribe") }
  }

  /// The descriptor for poll(2): readable when `receive` returns something or throws.
  var descriptor: Int32 { conversation.descriptor }

  /// When the unanswered requests were sent, or nil if every request is answered.
  var waitsSince: ContinuousClock.Instant? { statusRequest == nil && metricsRequest == nil ? nil : asked }

  /// Requests a snapshot, unless an answer is still missing.
  func ask() throws(RegdClientFailure) {
    guard waitsSince == nil else { return }
    asked = .now
    statusRequest = try conversation.send("daemon.status")
    metricsRequest = try conversation.send("daemon.metrics")
  }

  /// Takes the snapshots and events that have arrived. Does not wait.
  ///
  /// - Throws: `RegdClientFailure`, or `RegdError` if regd refuses.
  func receive() throws -> [Incoming] { try conversation.receiveAvailable().compactMap { try take($0) } }

  /// Requests a snapshot and waits for it.
  ///
  /// - Throws: `RegdClientFailure`, or `RegdError` if regd refuses.
  func next() throws -> Snapshot {
    try ask()
    while true {
      if case .snapshot(let snapshot)? = try take(try conversation.receive()) { return snapshot }
    }
  }

  private func take(_ incoming: RegdConversation.Incoming) throws -> Incoming? {
    switch incoming {
    case .notification(_, let params): return params.map { .event(line($0)) }
    case .reply(let id, let result):
      // ignores the reply to the subscription: if regd refuses it, status and metrics still come
      if id != nil, id == subscription { return nil }
      let result = try result.get()
      if id == statusRequest { (statusRequest, status) = (nil, result) }
      guard id == metricsRequest else { return nil }
      metricsRequest = nil
      let seconds = (ContinuousClock.now - clock) / .seconds(1)
      guard let status, let text = result["text"]?.string,
        let snapshot = Snapshot(status: status, metrics: text, time: seconds)
      else { throw RegdClientFailure.notAReply(status?.text ?? result.text) }
      return .snapshot(snapshot)
    }
  }

  private func line(_ event: JSONValue) -> String {
    var words = ["\((event["time"]?.string ?? "?").prefix(19).suffix(8))", event["event"]?.string ?? "?"]
    if let email = event["email"]?.string { words.append(email) }
    if let uid = event["uid"]?.integer { words.append(partner.text(TopMessageKey.byUser, ["uid": "\(uid)"])) }
    if let missed = event["missed"]?.integer {
      words.append(partner.text(TopMessageKey.missed, ["count": .number(missed)]))
    }
    if let message = event["message"]?.string { words.append(message) }
    return words.joined(separator: "  ")
  }
}

/// Growing pauses between attempts to connect.
struct BackOff {
  private static let longest = 5.0

  private var next = 0.25

  /// The next pause, in seconds.
  mutating func pause() -> Double {
    defer { next = min(next * 2, Self.longest) }
    return next
  }

  mutating func reset() { self = BackOff() }
}
