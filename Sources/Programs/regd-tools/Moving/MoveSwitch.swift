internal import Linux
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import Registration

/// The end of a move: makes the running regd use the target.
struct MoveSwitch {
  let run: MoveRun
  let connection: ConnectionOptions

  /// Makes sure, by a dry run of a reload, that regd's configuration names another store. Called before any change has
  /// to wait for the switch.
  ///
  /// - Throws: `RegdError` with the problems of the configuration, or `Refusal` if it names the present store.
  static func rehearse(_ connection: ConnectionOptions, _ target: TransferTarget) throws {
    let client = try connection.client()
    guard case .failure(let error) = try client.call("daemon.reload", ["dryRun": .bool(true)]) else {
      throw Refusal(StoreTransferMessageKey.namesTheSameStore, ["configuration": .text(target.configuration)])
    }
    let problems = error.data["problems"]?.array ?? []
    let isOther = problems.contains { $0["key"]?.string?.hasPrefix("store.") ?? false }
    // the only expected problem is that another store needs a restart, which the switch replaces
    guard isOther, problems.allSatisfy({ $0["key"]?.string?.hasPrefix("store.") ?? false }) else {
      throw error
    }
  }

  /// Makes regd use the target.
  ///
  /// - Returns: The moved rows, and for how many milliseconds regd held back changes.
  func perform(_ target: any MoveTarget) throws -> (MoveTally, Int) {
    try run.followed(target) { following in
      let client = try connection.client()
      var tries = 0
      while true {
        try Interruption.check()
        tries += 1
        let begin = ContinuousClock.now
        do {
          try switchOnce(client, target, following)
        } catch let error as RegdError {
          // retry only if regd ran out of time, because the next try may meet a less busy machine
          guard tries < Self.mostTries, error.isOfTime else { throw error }
          try following.catchUp()
          continue
        }
        let held = Int((ContinuousClock.now - begin) / .milliseconds(1))
        try target.arrive(following.move)
        return (following.inTarget(), held)
      }
    }
  }

  private static let mostTries = 10

  private func switchOnce(_ client: RegdClient, _ target: any MoveTarget, _ following: Following) throws {
    guard let hold = try client.call("daemon.holdStore").get()["hold"]?.string else {
      throw Refusal(StoreTransferMessageKey.noHold)
    }
    do {
      try following.catchUp()
      try target.complete(for: hold)
      _ = try client.call("daemon.reload", ["hold": .string(hold)]).get()
    } catch {
      _ = try? client.call("daemon.releaseStore", ["hold": .string(hold)])
      throw error
    }
  }
}

extension RegdError {
  /// Whether regd ran out of time: it was busy, the hold (its pause of all changes) had expired, or another program
  /// changed the database.
  fileprivate var isOfTime: Bool {
    if reason == "server.busy" { return true }
    // the second is the text of earlier versions, which may still be running
    return ["the write pause has ended", "the hold is over", "after the move had caught up"].contains(
      where: ConnectionOptions.describe(self).contains)
  }
}
