package import Liveness
package import Logging
package import Methods
internal import PasswordHashing
package import Registration
internal import UnixSocket
package import WireProtocols

/// The parts that outlast any configuration: made before those that answer requests, and kept as long as regd runs. An
/// `Assembly` gets its clock, hasher, store and log from here, so that tests can replace them.
package struct DaemonResources: Sendable {
  let log: any RunningLog
  let hashing: HashingSettings
  let hasher: any RunningHasher
  let codes: any CodeHashing
  let time: any TimeSource
  let normalizer: any TextNormalizer
  let store: SwitchableEngine
  /// This regd's identity among those that share the store.
  let claimant: Claimant
  /// How long this regd's claims on pending accounts last. A reload replaces the value.
  let leases: Reloadable<Duration>
  let quotas: PeerQuotas
  let feed: EventFeed
  let damage: DamageReport
  let service: ServiceStatus
  /// Returns the caller of a connection to regd's own socket, by the descriptor. Nil means to ask the kernel.
  let peer: (@Sendable (_ descriptor: Int32) -> Peer?)?
  /// Returns the path of the file of known clients for a store, or nil if there is no file. Without this closure, no known
  /// clients are kept over a restart.
  let clients: (@Sendable (StoreSettings) -> String?)?
  /// The store that regd waits for, if `store` is only its placeholder. Nil if the store is open.
  let awaited: AwaitedStore?
  /// The listening points that are open.
  let listeners = ListenerTable()

  package init(
    log: any RunningLog, hashing: HashingSettings, hasher: any RunningHasher, codes: any CodeHashing,
    time: any TimeSource, normalizer: any TextNormalizer, store: SwitchableEngine, claimant: Claimant,
    leases: Reloadable<Duration>, quotas: PeerQuotas, feed: EventFeed, damage: DamageReport, service: ServiceStatus,
    peer: (@Sendable (_ descriptor: Int32) -> Peer?)? = nil,
    clients: (@Sendable (StoreSettings) -> String?)? = nil, awaited: AwaitedStore? = nil
  ) {
    (self.log, self.hashing, self.hasher, self.codes, self.time) = (log, hashing, hasher, codes, time)
    (self.normalizer, self.store, self.claimant, self.leases) = (normalizer, store, claimant, leases)
    (self.quotas, self.feed, self.damage, self.service, self.peer) = (quotas, feed, damage, service, peer)
    (self.clients, self.awaited) = (clients, awaited)
  }

  var logger: Logger { log.logger }
}

/// A log that writes its lines on a thread of its own.
package protocol RunningLog: Sendable {
  var logger: Logger { get }
  var counts: LogQueue.Counts { get }
  /// Sets the lowest level that is written from now on.
  func setLevel(_ level: Logger.Level)
  /// Waits up to a second until all lines are written.
  func flush()
}

extension DaemonLog: RunningLog {}

/// A hasher with a queue.
package protocol RunningHasher: PasswordHasher {
  /// Passwords that wait for hashing or are being hashed.
  var pendingCount: Int { get }
  /// Lets the watchdog check that the queue moves, or is empty.
  var probe: Probe { get }
}

extension SodiumHasher: RunningHasher {}
