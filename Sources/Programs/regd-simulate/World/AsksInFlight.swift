internal import Registration
internal import Synchronization

/// Which regd asks the upstream for which registration at this moment.
final class AsksInFlight: Sendable {
  private struct State {
    var underWay: [(daemon: Int, id: String)] = []
    /// For each ask that has begun: what another regd asked for at the same time; nil for nothing.
    var news: [String?] = []
  }

  private let state = Mutex(State())

  func begin(_ id: String, by daemon: Int) {
    state.withLock { state in
      let other = state.underWay.first { $0.id == id && $0.daemon != daemon }
      state.news.append(other.map { "\(id) is asked for by regd \(daemon), and by regd \($0.daemon)" })
      state.underWay.append((daemon, id))
    }
  }

  func end(_ id: String, by daemon: Int) {
    state.withLock { state in
      if let place = state.underWay.firstIndex(where: { $0 == (daemon, id) }) { state.underWay.remove(at: place) }
    }
  }

  /// A regd is gone with all that it asked.
  func end(of daemon: Int) { state.withLock { $0.underWay.removeAll { $0.daemon == daemon } } }

  func takeNews() -> [String?] {
    state.withLock { state in
      defer { state.news = [] }
      return state.news
    }
  }
}

/// A regd in front of the upstream.
struct AskingDaemon: Sendable {
  let number: Int
  let asks: AsksInFlight

  init(_ number: Int, _ asks: AsksInFlight) { (self.number, self.asks) = (number, asks) }
}

/// The upstream, as one of several regd asks it.
struct AskedUpstream: NetworkService {
  let upstream: SimulatedUpstream
  let daemon: AskingDaemon

  func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool {
    try await upstream.isAvailable(email, for: share)
  }

  func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure) -> UpstreamAnswer {
    daemon.asks.begin("\(registration.id)", by: daemon.number)
    defer { daemon.asks.end("\(registration.id)", by: daemon.number) }
    return try await upstream.register(registration, for: share)
  }

  func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
  { try await upstream.signIn(email, password, for: share) }
}
