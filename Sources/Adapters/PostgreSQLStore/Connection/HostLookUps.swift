internal import Linux
internal import Liveness
internal import Synchronization
internal import WorkerThreads

/// Looks up the addresses of hosts. libpq would do this on the thread of the session, and would block that thread while
/// DNS does not answer. Here each look-up has a separate thread, and callers wait for it only as long as they may
/// connect. At most one look-up of a host is under way, and all callers that wait for it then get its answer. If a
/// caller has already given up, the addresses also serve the next caller within half a minute. DNS that is slower than
/// `connectSeconds` therefore still leads to a connection.
///
/// While DNS does not answer, callers get the last addresses that it has given. If another server has such an address by
/// now, regd does not use it: regd verifies the certificate by the name, if the URL requires that, and always the
/// identity of the database.
final class HostLookUps: Sendable {
  typealias LookUp = @Sendable (_ host: String) throws(HostAddresses.Failure) -> [String]

  /// The latest addresses of a host.
  private struct Known {
    let addresses: [String]
    /// Until when they serve one more caller without another look-up, because they came too late for a caller.
    var lateUntil: ContinuousClock.Instant?
  }

  /// The look-ups of this process.
  static let shared = HostLookUps { (host) throws(HostAddresses.Failure) in try HostAddresses.of(host) }

  /// A look-up that is under way.
  private struct InFlight {
    let look = HostLookUp()
    /// Whether a caller has given up.
    var isMissed = false
  }

  /// Both by host, and under one lock. Otherwise a caller who finds no late addresses and then no look-up would begin
  /// another one, although the addresses came in between.
  private struct Hosts {
    var inFlight: [String: InFlight] = [:]
    var known: [String: Known] = [:]
  }

  private enum Beginning {
    case known([String])
    case underWay(HostLookUp)
    case new(HostLookUp)
  }

  private let lookUp: LookUp
  private let hosts = Mutex(Hosts())
  private static let lateFor = Duration.seconds(30)

  /// - Parameter lookUp: Blocks until the addresses are known. Called on a separate thread.
  init(_ lookUp: @escaping LookUp) { self.lookUp = lookUp }

  /// The addresses of a host, in the order in which to try them.
  ///
  /// - Returns: At least one.
  /// - Throws: `unresolved` if the look-up fails or takes longer than the wait, and `cancelled` as the wait does.
  func addresses(of host: String, _ wait: ConnectWait) throws(ServerFailure) -> [String] {
    let look: HostLookUp
    switch begin(host) {
    case .known(let addresses): return addresses
    case .underWay(let other): look = other
    case .new(let new):
      look = new
      start(new, host)
    }
    while true {
      guard let left = wait.left else {
        if let last = giveUp(look, host) { return last }
        throw .unresolved(host, "DNS has not answered within \(wait.limit)")
      }
      if let answer = look.answer(atMost: left) {
        switch answer {
        case .success(let addresses) where addresses.isEmpty: throw .unresolved(host, "it has no address")
        case .success(let addresses): return addresses
        case .failure(let failure):
          if !failure.isAnswer, let last = last(host) { return last }
          throw .unresolved(host, failure.text)
        }
      }
      try wait.goOn()
    }
  }

  private func last(_ host: String) -> [String]? { hosts.withLock { $0.known[host]?.addresses } }

  /// Notes that a caller does not wait any longer.
  ///
  /// - Returns: The latest addresses of the host, if there are any.
  private func giveUp(_ look: HostLookUp, _ host: String) -> [String]? {
    hosts.withLock { hosts in
      if hosts.inFlight[host]?.look === look { hosts.inFlight[host]?.isMissed = true }
      return hosts.known[host]?.addresses
    }
  }

  /// Addresses that came too late for another caller, a look-up that is under way, or a new look-up.
  private func begin(_ host: String) -> Beginning {
    hosts.withLock { hosts in
      let known = hosts.known[host]
      if let until = known?.lateUntil {
        hosts.known[host]?.lateUntil = nil
        if until > .now, let known { return .known(known.addresses) }
      }
      if let underWay = hosts.inFlight[host] {
        // if another caller has already waited in vain, the last addresses are better than another wait
        if underWay.isMissed, let known { return .known(known.addresses) }
        return .underWay(underWay.look)
      }
      let new = InFlight()
      hosts.inFlight[host] = new
      return .new(new.look)
    }
  }

  private func start(_ look: HostLookUp, _ host: String) {
    do throws(WorkerThreads.StartFailure) {
      // the thread ends after the look-up
      try WorkerThreads(name: "regd-pg-dns", count: 1).submit { [self] in
        end(look, host, Result { () throws(HostAddresses.Failure) in try lookUp(host) })
      }
    } catch {
      end(look, host, .failure(.init(text: "no thread could be started (errno \(error.errorNumber))")))
    }
  }

  private func end(_ look: HostLookUp, _ host: String, _ answer: HostLookUp.Answer) {
    hosts.withLock { hosts in
      let isMissed = hosts.inFlight.removeValue(forKey: host)?.isMissed ?? false
      switch answer {
      case .success(let addresses) where !addresses.isEmpty:
        hosts.known[host] = Known(addresses: addresses, lateUntil: isMissed ? .now + Self.lateFor : nil)
      case .failure(let failure) where !failure.isAnswer: break
      // the host has no address any more
      default: hosts.known[host] = nil
      }
    }
    // last, so that the next call of a caller who is woken begins another look-up
    look.end(answer)
  }
}

/// A look-up, shared by its thread and those who wait for it.
private final class HostLookUp: Sendable {
  typealias Answer = Result<[String], HostAddresses.Failure>

  private let known = Mutex<Answer?>(nil)
  /// Has a signal once the answer is known. Each waiter passes the signal on.
  private let ended = Semaphore()

  func end(_ answer: Answer) {
    known.withLock { $0 = answer }
    ended.signal()
  }

  /// The answer, or nil if it is not known in time.
  func answer(atMost limit: Duration) -> Answer? {
    guard ended.wait(atMost: limit) else { return nil }
    ended.signal()
    return known.withLock { $0 }
  }
}

/// How long a thread may wait until it is connected, and what happens after each step of the wait.
struct ConnectWait {
  /// The limit of the whole wait.
  let limit: Duration
  private let deadline: ContinuousClock.Instant
  /// Answered after each step, to show that the thread is alive.
  private let awaited: Awaited
  /// Whether the wait continues when the task is cancelled.
  private let isLate: Bool

  init(atMost limit: Duration, _ awaited: Awaited, evenIfLate isLate: Bool) {
    (self.limit, self.awaited, self.isLate) = (limit, awaited, isLate)
    deadline = .now + limit
  }

  /// The longest next step, or nil if the wait has ended.
  var left: Duration? {
    let left = deadline - .now
    return left > .zero ? min(left, Connection.step) : nil
  }

  /// Must be called after each step without success.
  func goOn() throws(ServerFailure) {
    awaited.answer()
    guard isLate || !Task.isCancelled else { throw .cancelled }
  }
}
