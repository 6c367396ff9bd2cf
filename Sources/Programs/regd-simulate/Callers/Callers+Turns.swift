internal import CSimulation

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

extension SimulatedCaller {
  /// The lines that it has read, sorted, because replies may overtake each other.
  var lines: [String] {
    (collected ?? []).split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }.sorted()
  }
}
