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

/// The callers' turns: they send and read.
extension Callers {
  /// Gives a caller its turn: it reads and handles replies, or sends a piece of its waiting bytes.
  func serve(_ caller: SimulatedCaller) {
    if caller.isReadable, !caller.hasOutgoing || schedule.chance.once(in: 2) { return read(caller) }
    if caller.send(&schedule.chance) { tally.met(.split) }
    if daemons.all[caller.daemon].terminatedAt == nil { caller.sentBeforeStop = caller.sent }
  }

  func read(_ caller: SimulatedCaller) {
    for text in caller.read(&schedule.chance) { take(text, caller) }
    guard caller.isEnded else { return }
    let daemon = daemons.all[caller.daemon]
    if let twins = twins.first(where: { $0.first === caller || $0.second === caller }) { compare(twins) }
    if caller.isHalfClosed, daemon.terminatedAt == nil {
      hold(
        .halfClose, caller.waiting.isEmpty && caller.batches.isEmpty && caller.nulls == 0,
        "caller \(caller.number) half-closed and got the end before \(caller.waiting.map(\.id))")
    } else if daemon.terminatedAt == nil, daemon.process.end == nil {
      hold(.goesOn, false, "regd has closed the connection of caller \(caller.number)")
    }
    if schedule.phase != .draining, daemon.terminatedAt == nil { lose(caller) }
  }

  /// Checks a caller after an orderly stop of regd: all requests that it had sent before the stop must have replies.
  /// The caller can still read the bytes that regd has sent.
  func drained(_ caller: SimulatedCaller) {
    guard caller.isOpen else { return }
    caller.readOn()
    while caller.isReadable { read(caller) }
    let left = caller.waiting.filter { $0.endOfBytes <= caller.sentBeforeStop }
    // Another program's lock on the database may outlast the time for which regd waits for requests in flight. These
    // requests then get no reply.
    let grace = Int64(scenario.terms.graceSeconds) * 1_000_000_000
    let isOverdue =
      scenario.faults.hasRareFaults && simulated_now() - grace >= daemons.all[caller.daemon].terminatedAt ?? .max
    hold(
      .drains, left.isEmpty || isOverdue,
      "caller \(caller.number) had sent \(left.map { "\($0.method) \($0.id)" }) when regd was told to stop, and has no reply"
    )
  }

  private func compare(_ pair: Twins) {
    guard pair.first.isEnded, pair.second.isEnded else { return }
    twins.removeAll { $0 === pair }
    guard pair.life == daemons.lives, daemons.terminatedAt == nil else { return }
    let (one, other) = (pair.first.lines, pair.second.lines)
    hold(.splits, one == other, "\(one) and \(other)")
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

extension SimulatedCaller {
  /// The lines that it has read, sorted, because replies may overtake each other.
  var lines: [String] {
    (collected ?? []).split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }.sorted()
  }
}
