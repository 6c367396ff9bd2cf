internal import CSimulation

extension World {
  enum Cause { case kill, power, atDisk, atStore, ended }

  /// Ends a process of regd, and begins the next one.
  ///
  /// - Parameter later: When the next process is started, or nil for now.
  func restart(_ cause: Cause, _ daemon: SimulatedDaemon, at later: Int64? = nil) {
    Transcript.only.note("life \(lives) ends: \(cause)")
    let before = (simulated_disk_lost(), simulated_disk_torn())
    if case .atDisk = cause, !daemon.process.isReady { tally.met(.recoveryCut) }
    player.kill(daemon.number)
    asks.end(of: daemon.number)
    simulated_disk_restart(cause == .power ? SIMULATED_POWER : SIMULATED_KILL)
    tally.met(.lost, simulated_disk_lost() - before.0)
    tally.met(.torn, simulated_disk_torn() - before.1)
    for caller in callers where caller.daemon == daemon.number && caller.isOpen { lose(caller) }
    callers.removeAll { $0.daemon == daemon.number }
    lives += 1
    mails.beginLife(lives)
    oracle.doorway.beginUnderFile()
    oracle.faultLog.hasFailingDisk = false
    daemon.terminatedAt = nil
    if probe?.daemon == daemon.number || daemons.count == 1 { endProbe() }
    if probe == nil, phase == .probing || phase == .quieting || phase == .draining {
      (phase, quietSince) = (.quieting, simulated_now())
      if hasSettled, daemons.count == 1 { settle() }
    }
    // the next process may die during its recovery
    if cause != .ended, !hasSettled, daemons.count == 1, chance.once(in: 4) {
      simulated_disk_cut_at(Int32(chance.within(1...12)), chance.once(in: 2) ? SIMULATED_KILL : SIMULATED_POWER)
    }
    daemon.process = daemon.process.successor()
    daemon.returnsAt = later
    if later == nil { start(daemon) }
  }

  func start(_ daemon: SimulatedDaemon) {
    simulated_lack(SIMULATED_MEMORY, 0)
    daemon.process.start()
  }

  /// Notes a lost connection: its waiting requests will get no answers.
  func lose(_ caller: SimulatedCaller) {
    caller.close()
    let waiting = caller.waiting
    caller.waiting = []
    for request in waiting { request.end(request.endOfBytes > caller.sent ? .unsent : .lost) }
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
      scenario.faults.hasRareFaults && simulated_now() - grace >= daemons[caller.daemon].terminatedAt ?? .max
    hold(
      .drains, left.isEmpty || isOverdue,
      "caller \(caller.number) had sent \(left.map { "\($0.method) \($0.id)" }) when regd was told to stop, and has no reply"
    )
  }

  /// Gives a caller its turn: it reads and handles replies, or sends a piece of its waiting bytes.
  func serve(_ caller: SimulatedCaller) {
    if caller.isReadable, !caller.hasOutgoing || chance.once(in: 2) { return read(caller) }
    if caller.send(&chance) { tally.met(.split) }
    if daemons[caller.daemon].terminatedAt == nil { caller.sentBeforeStop = caller.sent }
  }

  func read(_ caller: SimulatedCaller) {
    for text in caller.read(&chance) { take(text, caller) }
    guard caller.isEnded else { return }
    let daemon = daemons[caller.daemon]
    if let twins = twins.first(where: { $0.first === caller || $0.second === caller }) { compare(twins) }
    if caller.isHalfClosed, daemon.terminatedAt == nil {
      hold(
        .halfClose, caller.waiting.isEmpty && caller.batches.isEmpty && caller.nulls == 0,
        "caller \(caller.number) half-closed and got the end before \(caller.waiting.map(\.id))")
    } else if daemon.terminatedAt == nil, daemon.process.end == nil {
      hold(.goesOn, false, "regd has closed the connection of caller \(caller.number)")
    }
    if phase != .draining, daemon.terminatedAt == nil { lose(caller) }
  }

  func closeHalfClosed() {
    for caller in callers where caller.isHalfClosed && caller.isOpen { caller.close() }
    callers.removeAll { !$0.isOpen }
  }

  func compare(_ pair: Twins) {
    guard pair.first.isEnded, pair.second.isEnded else { return }
    twins.removeAll { $0 === pair }
    guard pair.life == lives, terminatedAt == nil else { return }
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
