internal import Linux
internal import Localization
internal import RegctlCommandLine
internal import Registration
internal import SQLiteStore

/// The part of a move that needs no regd: copies to the target, and completes the move of a database that no regd
/// serves.
struct MoveRun {
  let path: String
  let connection: ConnectionOptions

  /// Copies until the target has caught up with the database.
  func catchUp(_ target: any MoveTarget) throws -> MoveTally { try followed(target) { $0.inTarget() } }

  /// Copies until the target has caught up, and then runs `body`, which can copy later changes with
  /// `Following.catchUp`.
  func followed<Value>(
    _ target: any MoveTarget, _ body: (inout Following) throws -> Value
  ) throws -> Value {
    do {
      return try moving(target, body)
    } catch let failure as MoveFailure {
      switch failure {
      case .unavailable(let words): throw Refusal(StoreTransferMessageKey.goesOn, ["reason": .text(words)])
      case .refused(let words): throw Refusal(message: words)
      case .differs(let words):
        throw Refusal(StoreTransferMessageKey.differs, ["reason": .text(words)])
      }
    }
  }

  private func moving<Target: MoveTarget, Value>(
    _ target: Target, _ body: (inout Following) throws -> Value
  ) throws -> Value {
    let source = try SQLiteMoveSource(path, beginning: AccountID(at: now).description, at: now)
    var mover = try Mover(from: source, to: target)
    try progress(&mover)
    var following = Following(
      move: source.move, caughtUp: { mover.caughtUp }, inTarget: { mover.inTarget },
      catchUp: { while !(try mover.step().isCaughtUp) { try Interruption.check() } })
    return try body(&following)
  }

  private func progress<Target: MoveTarget>(_ mover: inout Mover<SQLiteMoveSource, Target>) throws {
    let all = try mover.unitsLeft()
    var bar = ProgressBar(of: .records)
    var done = 0
    while true {
      let step = try mover.step()
      if step.isCaughtUp { break }
      done += step.units
      bar.show(all == 0 ? nil : Double(done) / Double(all), count: done)
      try Interruption.check()
    }
    bar.finish(count: done)
  }

  /// Completes a move of a database that no regd serves.
  func finish(_ target: any MoveTarget, _ words: String) throws -> MoveTally {
    while true {
      // `leaveUnused` needs the database for itself, and `followed` has closed its connection to the database by now
      let (move, caughtUp, tally) = try followed(target) { ($0.move, $0.caughtUp(), $0.inTarget()) }
      do throws(MoveFailure) {
        guard try SQLiteLeaving.leaveUnused(path, for: words, at: now, caughtUp: caughtUp) else { continue }
        try target.arrive(move)
        return tally
      } catch {
        throw Refusal(message: error.description)
      }
    }
  }

  private var now: Timestamp { Timestamp(microseconds: WallClock.microseconds) }
}

/// A move whose target has caught up with the database.
struct Following {
  let move: String
  let caughtUp: () -> MoveArrival
  let inTarget: () -> MoveTally
  let catchUp: () throws -> Void
}
