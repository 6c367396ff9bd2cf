internal import CSimulation
internal import Registration
internal import Synchronization

/// The upstream as regd's port sees it. It exists longer than each process of regd, and may still act on the requests
/// of a killed one.
final class SimulatedUpstream: Sendable {
  enum Condition: CaseIterable, Sendable { case works, offline, unavailable, mixed, loses, late }

  struct Ask: Sendable {
    let id: String
    let email: String
  }

  struct State {
    var chance: Chance
    var condition = Condition.works
    /// The holders of addresses: the id of a registration by regd, or "" for another registration.
    var holders: [String: String] = [:]
    /// Registrations that the upstream makes later, after their requests got a timeout, ordered by time.
    var later: [(time: Int64, ask: Ask)] = []
    var asks: [Ask] = []
    /// Addresses for which it has answered 409 while still working on them.
    var disbelieved: Set<String> = []
    var met: [Fault] = []
  }

  let state: Mutex<State>

  init(seed: UInt64) { state = Mutex(State(chance: Chance(seed: seed, purpose: 3))) }

  func set(_ condition: Condition) {
    state.withLock { state in
      state.condition = condition
      // the upstream finishes its work in progress before it works again
      if condition == .works { state.act(until: .max) }
    }
  }

  /// Lets time pass for the upstream while regd's machine is suspended.
  func pass(_ nanoseconds: Int64) {
    state.withLock { state in state.later = state.later.map { ($0.time - nanoseconds, $0.ask) } }
  }

  /// Registers an address without regd, if the address is free and regd has never asked for it.
  func giveAway(_ email: String) {
    state.withLock { state in
      guard !state.asks.contains(where: { $0.email == email }) else { return }
      state.holders[email] = state.holders[email] ?? ""
    }
  }

  func takeMet() -> [Fault] {
    state.withLock { state in
      defer { state.met = [] }
      return state.met
    }
  }
}

extension SimulatedUpstream.State {
  enum Outcome {
    case answer(UpstreamAnswer)
    case failure(NetworkFailure)
  }

  mutating func act(until time: Int64) {
    while let first = later.first, first.time <= time {
      later.removeFirst()
      take(first.ask)
    }
  }

  private mutating func take(_ ask: SimulatedUpstream.Ask) { holders[ask.email] = holders[ask.email] ?? ask.id }

  private func isAtWork(_ email: String) -> Bool { later.contains { $0.ask.email == email } }

  /// Decides the outcome of a request, and how long it takes.
  mutating func judge(_ ask: SimulatedUpstream.Ask, at now: Int64) -> (Outcome, Int64) {
    act(until: now)
    var time = Int64(chance.below(30_000_000))
    if chance.once(in: 12) {
      met.append(.slowUpstream)
      time += Int64(chance.below(8_000_000_000))
    }
    if isAtWork(ask.email), chance.once(in: 2) {
      asks.append(ask)
      return (takenAtWork(ask), time)
    }
    let fault = fault()
    // a request that was certainly not sent is remembered neither here nor by regd
    if fault != .offline { asks.append(ask) }
    switch fault {
    case nil: break
    case .offline: return (.failure(.offline), time / 10)
    case .unavailable:
      return (.failure(.unavailable(retryAfterSeconds: chance.once(in: 2) ? chance.below(4) : nil)), time)
    case .throttled: return (.failure(.throttled(retryAfterSeconds: chance.below(3))), time)
    case .rejected: return (.failure(.rejected), time)
    case .timeoutNot: return (.failure(.timeout), time + 1_000_000_000)
    case .notActedLost: return (.failure(chance.one(of: [.failed, .emptyResponse, .malformedResponse])), time)
    case .timeoutLater:
      if holders[ask.email] == nil, !isAtWork(ask.email) {
        let end = now + time + Int64(chance.below(40_000_000_000))
        let place = later.firstIndex { $0.time > end } ?? later.count
        later.insert((end, ask), at: place)
      }
      return (.failure(.timeout), time + 1_000_000_000)
    default:
      if !isAtWork(ask.email) { take(ask) }
      return (.failure(chance.one(of: [.timeout, .failed, .emptyResponse, .malformedResponse])), time)
    }
    if isAtWork(ask.email) { return (takenAtWork(ask), time) }
    take(ask)
    if holders[ask.email] == "" { met.append(.foreign409) }
    return (.answer(holders[ask.email] == ask.id ? .registered : .taken), time)
  }

  private mutating func takenAtWork(_ ask: SimulatedUpstream.Ask) -> Outcome {
    met.append(.atWork409)
    disbelieved.insert(ask.email)
    return .answer(.taken)
  }

  private mutating func fault() -> Fault? {
    let all: [Fault]
    switch condition {
    case .works: return nil
    case .offline: all = [.offline]
    case .unavailable: all = [.unavailable]
    case .mixed:
      guard chance.once(in: 2) else { return nil }
      all = [.offline, .unavailable, .throttled, .rejected, .timeoutNot, .timeoutLater, .actedLost, .notActedLost]
    case .loses: all = [.actedLost, .notActedLost]
    case .late:
      guard !chance.once(in: 3) else { return nil }
      all = [.timeoutLater]
    }
    let fault = chance.one(of: all)
    met.append(fault)
    return fault
  }
}

extension SimulatedUpstream: NetworkService {
  func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool {
    let (isFree, isAway) = state.withLock { state in
      state.act(until: simulated_now())
      return (state.holders[email.key.value] == nil, state.condition == .offline)
    }
    if isAway { throw .offline }
    return isFree
  }

  func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure) -> UpstreamAnswer {
    let ask = Ask(id: "\(registration.id)", email: registration.email.key.value)
    let (outcome, time) = state.withLock { $0.judge(ask, at: simulated_now()) }
    Transcript.only.note("upstream is asked for \(ask.email) as \(ask.id): \(outcome) after \(time)")
    do { try await Task.sleep(for: .nanoseconds(time)) } catch { throw .timeout }
    switch outcome {
    case .answer(let answer): return answer
    case .failure(let failure): throw failure
    }
  }

  func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
  { throw .offline }
}

/// The simulated upstream as a backend that a configuration can choose, or that replaces the configured one.
struct SimulatedBackend: NetworkBackend {
  static let name = "simulated"
  static let isRehearsed = true
  /// The upstream of this run, which exists before regd starts.
  static let current = Mutex<SimulatedUpstream?>(nil)
  private let upstream: SimulatedUpstream?
  /// The regd that asks, or nil if the configuration has chosen the backend.
  private var daemon: AskingDaemon?

  init(_ upstream: SimulatedUpstream, _ daemon: AskingDaemon) { (self.upstream, self.daemon) = (upstream, daemon) }
  init(_ keys: inout some ConfigurationKeys, isChosen: Bool) { upstream = Self.current.withLock { $0 } }

  func open(_ context: NetworkContext) throws(NetworkOpeningFailure) -> OpenNetwork {
    guard let upstream else { throw .configuration("there is no simulated upstream") }
    guard let daemon else { return OpenNetwork(upstream) }
    return OpenNetwork(AskedUpstream(upstream: upstream, daemon: daemon))
  }

  static func == (one: Self, other: Self) -> Bool { one.upstream === other.upstream }
}
