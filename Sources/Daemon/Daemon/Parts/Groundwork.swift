internal import Dialogues
internal import Heartbeat
internal import Logging
internal import Methods
internal import PasswordHashing
internal import Registration
internal import UnixSocket

/// The parts that regd stands on, made before the parts that answer requests; stays for as long as regd runs. An assembly takes clock,
/// hasher, store and log from here and makes none of its own.
struct Groundwork: Sendable {
  let log: DaemonLog
  let hashing: HashingSettings
  let hasher: any RunningHasher
  let codes: any CodeHashing
  let time: any TimeSource
  let normalizer: any TextNormalizer
  let store: SwitchedStore
  /// This regd's name in the store.
  let claimant: Claimant
  /// How long claims on pending accounts last; a reload replaces it.
  let leases: Live<Duration>
  let usages: PeerUsages
  let feed: EventFeed
  let damage: DamageReport
  let service: ServiceStatus
  /// The listening points that are open.
  let listeners = ListenerTable()

  var logger: Logger { log.logger }
}

/// A hasher with a queue.
protocol RunningHasher: PasswordHasher {
  /// Passwords that wait for hashing or are being hashed.
  var pendingCount: Int { get }
  /// Whether the queue moves, or is empty.
  var pulse: Pulse { get }
}

extension SodiumHasher: RunningHasher {}
