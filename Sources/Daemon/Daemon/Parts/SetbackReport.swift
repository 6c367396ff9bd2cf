internal import Logging
internal import Methods
internal import Registration
internal import Synchronization

/// Reports that the database of the store has gone back to an earlier state, once, and that an operator has accepted it.
final class SetbackReport: Sendable {
  private let ground: Groundwork
  private let reported = Mutex<StoreSetback?>(nil)

  init(_ ground: Groundwork) { self.ground = ground }

  /// Must be called after each check of the store.
  func look() {
    let setback = ground.store.continuity?.setback
    let before = reported.withLock { reported in
      defer { reported = setback }
      return reported
    }
    guard (before == nil) != (setback == nil) else { return }
    ground.service.note(setback)
    guard let setback else { return }
    ground.logger.write(.storeWentBack, nil, ["failure": "\(setback)"])
    ground.feed.publish(Event(.storeWentBack, at: ground.time.now(), message: "\(setback)"))
  }

  /// Continues with the database as it is. Does nothing if the database has not gone back.
  ///
  /// - Returns: Whether it had gone back.
  @Sendable func accept() -> Bool {
    guard let setback = ground.store.continuity?.accept() else { return false }
    ground.logger.write(.storeAccepted, nil, ["failure": "\(setback)"])
    ground.feed.publish(Event(.storeAccepted, at: ground.time.now(), message: "\(setback)"))
    look()
    return true
  }
}
