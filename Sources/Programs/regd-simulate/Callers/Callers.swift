internal import CSimulation

/// The simulated programs that call regd, and their requests.
final class Callers: Checking {
  let oracle: Oracle
  let daemons: Daemons
  let schedule: Schedule
  private(set) var all: [SimulatedCaller] = []
  /// How many numbers `newNumber` has returned.
  private(set) var numbers = 0
  var twins: [Twins] = []

  init(_ oracle: Oracle, _ daemons: Daemons, _ schedule: Schedule) {
    (self.oracle, self.daemons, self.schedule) = (oracle, daemons, schedule)
  }

  var isQuiet: Bool { all.allSatisfy { $0.isIdle || !$0.isOpen } }

  /// A number that nothing else in the run has, for names and ids.
  func newNumber() -> Int {
    numbers += 1
    return numbers
  }

  // MARK: Connections

  /// A new caller, or nil if no process listens.
  func connect(
    _ chance: inout Chance, uid: UInt32? = nil, pace: SimulatedCaller.Pace? = nil, isFramed framed: Bool? = nil,
    daemon given: Int? = nil
  ) -> SimulatedCaller? {
    let uid = uid ?? UInt32(1001 + chance.below(scenario.users))
    let pace = pace ?? chance.one(of: [.whole, .whole, .drip, .random])
    let isFramed = framed ?? chance.once(in: 5)
    let daemon = daemons.all[given ?? daemons.anyUp(&chance)]
    let descriptor = simulated_connect(daemon.process.place.socket, uid)
    guard descriptor >= 0 else { return nil }
    let caller = SimulatedCaller(
      number: newNumber(), uid: uid, daemon: daemon.number, descriptor: descriptor, pace: pace, isFramed: isFramed)
    all.append(caller)
    return caller
  }

  /// A caller that may send a request, or a new one.
  func caller(_ chance: inout Chance, uid: UInt32? = nil) -> SimulatedCaller? {
    let open = all.filter {
      $0.isOpen && !$0.isHalfClosed && !$0.closesSoon && !$0.isEnded && $0.collected == nil
        && (uid.map { [uid = $0.uid] in $0 == uid } ?? ($0.uid != 0))
    }
    if open.isEmpty || (open.count < 5 && chance.once(in: 4)) { return connect(&chance, uid: uid) }
    return chance.one(of: open)
  }

  /// Notes a lost connection: its waiting requests will get no answers.
  func lose(_ caller: SimulatedCaller) {
    caller.close()
    let waiting = caller.waiting
    caller.waiting = []
    for request in waiting { request.end(request.endOfBytes > caller.sent ? .unsent : .lost) }
  }

  /// Ends the callers of a regd that was killed.
  func loseAll(of daemon: SimulatedDaemon) {
    for caller in all where caller.daemon == daemon.number && caller.isOpen { lose(caller) }
    all.removeAll { $0.daemon == daemon.number }
  }

  func closeHalfClosed() {
    for caller in all where caller.isHalfClosed && caller.isOpen { caller.close() }
    all.removeAll { !$0.isOpen }
  }

  func readOn() { for caller in all { caller.readOn() } }

  /// Watches two callers that send the same bytes, and must get the same replies.
  func watch(_ first: SimulatedCaller, _ second: SimulatedCaller) {
    twins.append(Twins(first, second, life: daemons.lives))
  }

  // MARK: Requests

  private func newId(_ chance: inout Chance) -> String {
    let number = newNumber()
    switch chance.below(6) {
    case 0: return "\"r\(number)\""
    case 1: return "1000000000000000\(10_000 + number)"
    default: return "\(number)"
    }
  }

  /// Returns the text of a request, and adds the request to those of the caller that wait for a reply.
  func request(
    _ method: String, _ params: String, _ caller: SimulatedCaller, id: String? = nil, _ chance: inout Chance,
    _ end: @escaping (Request.End) -> Void
  ) -> String {
    let id = id ?? newId(&chance)
    caller.waiting.append(
      Request(id: id, method: method, endOfBytes: .max, since: simulated_now(), end: end))
    return "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"\(method)\",\"params\":\(params)}"
  }

  /// Queues a text for the caller to send, and records for each request in the text where the request ends.
  func say(_ text: String, _ caller: SimulatedCaller, _ chance: inout Chance) {
    // some texts get no newline: their last request is complete with its last byte
    let end = chance.once(in: 6) ? "" : "\n"
    caller.queue(text + end)
    for (place, waiting) in caller.waiting.enumerated() where waiting.endOfBytes == .max {
      caller.waiting[place] = Request(
        id: waiting.id, method: waiting.method, endOfBytes: caller.queued - end.utf8.count, since: waiting.since,
        end: waiting.end)
    }
    Transcript.only.note("caller \(caller.number) (\(caller.uid)) says \(text)")
  }

  func sayBatch(_ texts: [String], _ caller: SimulatedCaller, _ chance: inout Chance) {
    caller.batches.append(caller.waiting.suffix(texts.count).map(\.id))
    say("[\(texts.joined(separator: ","))]", caller, &chance)
  }

  func ask(
    _ method: String, _ params: String, _ caller: SimulatedCaller, _ chance: inout Chance,
    _ end: @escaping (Request.End) -> Void
  ) {
    say(request(method, params, caller, &chance, end), caller, &chance)
  }
}

/// Two callers who send the same bytes in different pieces.
final class Twins {
  let first: SimulatedCaller
  let second: SimulatedCaller
  let life: Int

  init(_ first: SimulatedCaller, _ second: SimulatedCaller, life: Int) {
    (self.first, self.second, self.life) = (first, second, life)
  }
}
