internal import Logging
internal import Methods
internal import Registration

/// Replaces the running store at the end of a move (`regctl move` copies a store to another), while a hold keeps
/// changes waiting. Refuses a store that the move has not completed in this hold.
struct StoreSwitch {
  let resources: DaemonResources
  let running: Configuration
  let hold: String

  /// The key at which problems of the switch are reported.
  private static let key = "store.backend"

  /// Whether the switch may change this key of the configuration, which otherwise needs a restart.
  static func concerns(_ key: String?) -> Bool { key?.hasPrefix("store.") ?? false }

  /// Switches in an order that loses nothing if regd dies in between: after a restart, at most one of the stores can be
  /// opened.
  ///
  /// - Throws: `ConfigurationError` with the reason why the store is not changed. Changes then continue in the old
  ///   store.
  func perform(to next: Configuration) throws(ConfigurationError) {
    let (old, new) = (running.settings.store.chosen, next.settings.store.chosen)
    guard running.settings.store != next.settings.store else {
      throw refusal(next, "names the old store, but the move ends with another one")
    }
    guard let old = old as? any MovableBackend, let new = new as? any MovableBackend else {
      throw refusal(next, "a store of this kind cannot take over or be moved while regd runs; restart regd instead")
    }
    let arrival: MoveArrival
    let open: OpenStore
    do throws(StoreFailure) {
      arrival = try new.arrival(for: hold)
      open = try new.open(
        completedFor: hold,
        StoreContext(
          resources.claimant, damaged: resources.damage.note,
          observer: AuditLog(logger: resources.logger).observer(resources.feed)))
    } catch {
      throw refusal(next, "the store that it names cannot take over: \(StartupFailure(error, of: new).description)")
    }
    guard resources.store.beginSwitch(hold) else {
      resources.store.retire(open)
      throw refusal(next, "the write pause has ended, and changes continue in the old store")
    }
    if let reason = leave(old, for: new, arrival) {
      resources.store.endSwitch(with: nil)
      resources.store.retire(open)
      throw refusal(next, reason)
    }
    // before the first change, because a regd that starts refuses a store that has not arrived
    do throws(StoreFailure) { try new.arrive(for: hold) } catch {
      resources.logger.write(.storeNotArrived, nil, ["failure": "\(error)"])
    }
    resources.store.endSwitch(with: open)
  }

  /// - Returns: Why marking the old store as moved failed, or nil if it succeeded.
  private func leave(_ old: any MovableBackend, for new: any MovableBackend, _ arrival: MoveArrival) -> String? {
    do throws(StoreFailure) {
      if try old.leave(for: new.words, at: resources.time.now(), after: arrival) { return nil }
      return
        "another program changed the old store after the move had caught up; stop every other regd that has it open"
    } catch {
      return "the old store cannot be marked as moved: \(StartupFailure(error, of: old).description)"
    }
  }

  private func refusal(_ next: Configuration, _ message: String) -> ConfigurationError {
    ConfigurationError(problems: [
      ConfigurationProblem(place: next.place(of: Self.key), key: Self.key, message: message)
    ])
  }
}

extension StoreBackend {
  /// The store in an operator's words.
  fileprivate var words: String { path.map { "\(Self.name) (\($0))" } ?? Self.name }
}
