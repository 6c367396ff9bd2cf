internal import Logging
internal import Methods
internal import Registration
internal import Synchronization

/// Reports that the database of the store has gone back to an earlier state, once, and that an operator has accepted it.
final class SetbackReport: Sendable {
  private let resources: DaemonResources
  private let reported = Mutex<StoreSetback?>(nil)

  init(_ resources: DaemonResources) { self.resources = resources }

  /// Must be called after each check of the store.
  func look() {
    let setback = resources.store.continuity?.setback
    let before = reported.withLock { reported in
      defer { reported = setback }
      return reported
    }
    guard (before == nil) != (setback == nil) else { return }
    resources.service.note(setback)
    guard let setback else { return }
    resources.logger.write(.storeWentBack, nil, ["failure": "\(setback)"])
    resources.feed.publish(Event(.storeWentBack, at: resources.time.now(), message: "\(setback)"))
  }

  /// Continues with the database as it is. Does nothing if the database has not gone back.
  ///
  /// - Returns: Whether it had gone back.
  @Sendable func accept() -> Bool {
    guard let setback = resources.store.continuity?.accept() else { return false }
    resources.logger.write(.storeAccepted, nil, ["failure": "\(setback)"])
    resources.feed.publish(Event(.storeAccepted, at: resources.time.now(), message: "\(setback)"))
    look()
    return true
  }
}
