internal import CSimulation
internal import Registration
internal import Synchronization

/// Records the asks of all regd processes: their requests to the upstream for a registration, in flight or ended.
final class AsksInFlight: Sendable {
  struct Ask: Sendable {
    let daemon: Int
    let id: String
    /// The key of the address.
    let key: String
    let began = simulated_now()
    var ended = Int64.max

    var isInFlight: Bool { ended == .max }
  }

  private struct State {
    var all: [Ask] = []
    /// For each ask since the last `takeNews`: the conflict if another regd was asking for the same registration,
    /// otherwise nil.
    var news: [String?] = []
    /// When each paused regd continues, or has continued.
    var pauses: [Int: Int64] = [:]

    /// Whether a regd was paused up to a minute ago. Such a regd may not know yet that its lease of a registration has
    /// expired, so it may ask at the same time as another regd.
    func wasPaused(_ daemon: Int) -> Bool {
      pauses[daemon].map { simulated_now() < $0 + 60_000_000_000 } ?? false
    }
  }

  private let state = Mutex(State())

  var all: [Ask] { state.withLock { $0.all } }

  func begin(_ id: String, for key: String, by daemon: Int) {
    state.withLock { state in
      let other = state.all.first {
        $0.isInFlight && $0.id == id && $0.daemon != daemon && !state.wasPaused($0.daemon) && !state.wasPaused(daemon)
      }
      state.news.append(other.map { "\(id) is asked for by regd \(daemon), and by regd \($0.daemon)" })
      state.all.append(Ask(daemon: daemon, id: id, key: key))
    }
  }

  func end(_ id: String, by daemon: Int) {
    state.withLock { state in
      let place = state.all.firstIndex { $0.isInFlight && $0.id == id && $0.daemon == daemon }
      if let place { state.all[place].ended = simulated_now() }
    }
  }

  /// Ends all asks of a regd that was killed.
  func end(of daemon: Int) {
    state.withLock { state in
      for place in state.all.indices where state.all[place].isInFlight && state.all[place].daemon == daemon {
        state.all[place].ended = simulated_now()
      }
    }
  }

  func paused(_ daemon: Int, until end: Int64) { state.withLock { $0.pauses[daemon] = end } }

  func takeNews() -> [String?] {
    state.withLock { state in
      defer { state.news = [] }
      return state.news
    }
  }
}

/// A regd that asks the upstream, and the record of its asks.
struct AskingDaemon: Sendable {
  let number: Int
  let asks: AsksInFlight

  init(_ number: Int, _ asks: AsksInFlight) { (self.number, self.asks) = (number, asks) }
}

/// The upstream as one of several regd processes sees it. Records each registration that this regd asks for.
struct AskedUpstream: NetworkService {
  let upstream: SimulatedUpstream
  let daemon: AskingDaemon

  func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool {
    try await upstream.isAvailable(email, for: share)
  }

  func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure) -> UpstreamAnswer {
    daemon.asks.begin("\(registration.id)", for: registration.email.key.value, by: daemon.number)
    defer { daemon.asks.end("\(registration.id)", by: daemon.number) }
    return try await upstream.register(registration, for: share)
  }

  func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
  { try await upstream.signIn(email, password, for: share) }
}
