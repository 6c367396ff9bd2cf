internal import Registration
internal import Synchronization

/// The open networks and mail systems. If a reload replaces one, it is stopped only once it is idle: operations that
/// began before the reload may still use it.
final class OpenNetworks: Sendable {
  private struct Guarded {
    var last = 0
    /// The function that stops each open network or mail system, by its number.
    var open: [Int: @Sendable () -> Void] = [:]
    /// The functions that stop the networks and mail systems that are no longer in use.
    var idle: [@Sendable () -> Void] = []
  }

  private let guarded = Mutex(Guarded())
  private let isAnyIdle: @Sendable () -> Void

  /// - Parameter isAnyIdle: Called when `stopIdle` has something to stop, on any thread. Must not block.
  init(isAnyIdle: @escaping @Sendable () -> Void) { self.isAnyIdle = isAnyIdle }

  /// Wraps the network for operations. It becomes idle when the last operation releases the wrapper.
  func lend(_ network: OpenNetwork) -> any NetworkService {
    let number = noted(network.stop)
    return Lent(network.port) { [self] in returned(number) }
  }

  /// Wraps the mail system for the mail queue. It becomes idle when the queue releases the wrapper.
  func lend(_ mail: OpenMail) -> any MailService {
    let number = noted(mail.stop)
    return LentMail(mail.port) { [self] in returned(number) }
  }

  private func noted(_ stop: @escaping @Sendable () -> Void) -> Int {
    guarded.withLock { guarded in
      guarded.last += 1
      guarded.open[guarded.last] = stop
      return guarded.last
    }
  }

  private func returned(_ number: Int) {
    let isNews = guarded.withLock { guarded in
      guard let stop = guarded.open.removeValue(forKey: number) else { return false }
      guarded.idle.append(stop)
      return true
    }
    if isNews { isAnyIdle() }
  }

  /// Stops the networks and mail systems that are no longer in use, and blocks until they have stopped.
  func stopIdle() {
    let idle = guarded.withLock { guarded in
      defer { guarded.idle = [] }
      return guarded.idle
    }
    for stop in idle { stop() }
  }

  /// Stops all networks and mail systems. Calls in flight fail. Blocks until they have stopped.
  func stopAll() {
    let all = guarded.withLock { guarded in
      defer { (guarded.open, guarded.idle) = ([:], []) }
      return Array(guarded.open.values) + guarded.idle
    }
    for stop in all { stop() }
  }
}

/// A wrapped mail system, which becomes idle when the mail queue releases the wrapper.
private final class LentMail: MailService {
  private let service: any MailService
  private let isReturned: @Sendable () -> Void

  init(_ service: any MailService, _ isReturned: @escaping @Sendable () -> Void) {
    self.service = service
    self.isReturned = isReturned
  }

  deinit { isReturned() }

  func send(_ mail: Mail) async throws(MailFailure) { try await service.send(mail) }
}

/// A wrapped network, which becomes idle when the last operation releases the wrapper.
private final class Lent: NetworkService {
  private let network: any NetworkService
  private let isReturned: @Sendable () -> Void

  init(_ network: any NetworkService, _ isReturned: @escaping @Sendable () -> Void) {
    self.network = network
    self.isReturned = isReturned
  }

  deinit { isReturned() }

  func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool {
    try await network.isAvailable(email, for: share)
  }

  func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure) -> UpstreamAnswer {
    try await network.register(registration, for: share)
  }

  func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
  {
    try await network.signIn(email, password, for: share)
  }
}
