import Registration
import TestKit

/// Somebody else resumes the reservation just before the caller does, the first few times.
actor Restlessness {
  private(set) var left: Int

  init(_ times: Int) { left = times }

  func store(on inner: any AccountStore) -> PreparedStore {
    PreparedStore(inner) { (call) async throws(StoreFailure) in
      guard case .change(let id, let seen?) = call, await self.hasTurn() else { return }
      let later = Timestamp(microseconds: seen.microseconds + 1)
      _ = try await inner.resume(id, seen: seen, Stamp(later))
    }
  }

  private func hasTurn() -> Bool {
    guard left > 0 else { return false }
    left -= 1
    return true
  }
}

/// An upstream that accepts everything, once it is open.
actor Gate: NetworkService {
  private var isOpen: Bool
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var watchers: [CheckedContinuation<Void, Never>] = []
  private var calls = 0
  private var inFlight = 0
  private(set) var mostAtOnce = 0

  init(isOpen: Bool = false) { self.isOpen = isOpen }

  func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
  {
    throw .offline
  }

  func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool { throw .offline }

  func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure) -> UpstreamAnswer {
    calls += 1
    inFlight += 1
    mostAtOnce = max(mostAtOnce, inFlight)
    for watcher in watchers { watcher.resume() }
    watchers = []
    if !isOpen { await withCheckedContinuation { waiting.append($0) } }
    for _ in 0..<10 { await Task.yield() }
    inFlight -= 1
    return .registered
  }

  func reached() async {
    guard calls == 0 else { return }
    await withCheckedContinuation { watchers.append($0) }
  }

  func open() {
    isOpen = true
    for waiter in waiting { waiter.resume() }
    waiting = []
  }
}
