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

  private let lookUp: LookUp
  /// The look-ups that are under way, by host.
  private let inFlight = Mutex<[String: HostLookUp]>([:])
  /// The addresses of the hosts in the URL, by host.
  private let known = Mutex<[String: Known]>([:])
  private static let lateFor = Duration.seconds(30)

  /// - Parameter lookUp: Blocks until the addresses are known. Called on a separate thread.
  init(_ lookUp: @escaping LookUp) { self.lookUp = lookUp }

  /// The addresses of a host, in the order in which to try them.
  ///
  /// - Returns: At least one.
  /// - Throws: `unresolved` if the look-up fails or takes longer than the wait, and `cancelled` as the wait does.
  func addresses(of host: String, _ wait: ConnectWait) throws(ServerFailure) -> [String] {
    if let late = takeLate(host) { return late }
    let look = begin(host)
    // another caller has already waited in vain for this look-up
    if look.isMissed, let last = last(host) { return last }
    while true {
      guard let left = wait.left else {
        look.miss()
        if let last = last(host) { return last }
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

  private func last(_ host: String) -> [String]? { known.withLock { $0[host]?.addresses } }

  /// The addresses that came too late for a caller, at most once.
  private func takeLate(_ host: String) -> [String]? {
    known.withLock { known in
      guard let found = known[host], let until = found.lateUntil else { return nil }
      known[host]?.lateUntil = nil
      return until > .now ? found.addresses : nil
    }
  }

  /// Begins a look-up of the host, unless one is under way.
  private func begin(_ host: String) -> HostLookUp {
    let new = HostLookUp()
    let look = inFlight.withLock { inFlight in
      let look = inFlight[host] ?? new
      inFlight[host] = look
      return look
    }
    guard look === new else { return look }
    do throws(WorkerThreads.StartFailure) {
      // the thread ends after the look-up
      try WorkerThreads(name: "regd-pg-dns", count: 1).submit { [self] in
        end(host, new, Result { () throws(HostAddresses.Failure) in try lookUp(host) })
      }
    } catch {
      end(host, new, .failure(.init(text: "no thread could be started (errno \(error.errorNumber))")))
    }
    return new
  }

  private func end(_ host: String, _ look: HostLookUp, _ answer: HostLookUp.Answer) {
    known.withLock { known in
      switch answer {
      case .success(let addresses) where !addresses.isEmpty:
        known[host] = Known(addresses: addresses, lateUntil: look.isMissed ? .now + Self.lateFor : nil)
      case .failure(let failure) where !failure.isAnswer: break
      // the host has no address any more
      default: known[host] = nil
      }
    }
    // after the addresses are known, so that the next caller finds late ones before it begins another look-up
    inFlight.withLock { $0[host] = nil }
    // done last, so that a caller who comes after the answer begins another look-up
    look.end(answer)
  }
}

/// A look-up, shared by its thread and those who wait for it.
private final class HostLookUp: Sendable {
  typealias Answer = Result<[String], HostAddresses.Failure>

  private let known = Mutex<Answer?>(nil)
  private let missed = Mutex(false)
  /// Has a signal once the answer is known. Each waiter passes the signal on.
  private let ended = Semaphore()

  /// Whether a caller has given up.
  var isMissed: Bool { missed.withLock { $0 } }

  /// Notes that a caller has given up.
  func miss() { missed.withLock { $0 = true } }

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
