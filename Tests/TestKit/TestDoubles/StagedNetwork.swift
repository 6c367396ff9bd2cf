package import Registration

/// An upstream for tests. It records every request, answers each as the test has staged it, and can hold its answers
/// until the test releases them.
///
/// It remembers which registration holds an address, like an upstream that honours the `Idempotency-Key`. It outlives
/// the registrars that call it.
package actor StagedNetwork: NetworkService {
  package enum Request: Equatable, Sendable {
    case isAvailable(EmailAddress)
    case register(UpstreamRegistration)
    case signIn(EmailAddress)

    package var email: EmailAddress {
      switch self {
      case .isAvailable(let email), .signIn(let email): email
      case .register(let registration): registration.email
      }
    }
  }

  package enum Conduct: Equatable, Sendable {
    /// Works without faults: registers a free address, and accepts the right password.
    case answers
    /// Registers the account, even if another one held the address.
    case takesOver
    /// Registers no new account, and accepts no password.
    case refuses
    case fails(NetworkFailure)
    /// Performs the request, but loses the answer.
    case actsAndFails(NetworkFailure)
  }

  /// Decides on one request. Code in the rule runs while the request is in flight.
  package typealias Rule = @Sendable (Request) async -> Conduct

  /// The requests in the order in which they came.
  package private(set) var requests: [Request] = []
  /// The account that the upstream has for an address.
  package private(set) var holders: [EmailKey: AccountID] = [:]
  /// The largest number of requests that were in progress at one time.
  package private(set) var mostAtOnce = 0
  private var logins: [EmailKey: (id: String, password: String)] = [:]
  private var inFlight = 0
  private var script: [Conduct]
  private var rule: Rule
  private var curtain = Curtain<Conduct>()

  /// - Parameters:
  ///   - script: The conduct of the first requests, one each.
  ///   - rule: Decides on the others.
  package init(_ script: [Conduct] = [], rule: @escaping Rule = { _ in .answers }) {
    self.script = script.reversed()
    self.rule = rule
  }

  package init(_ conduct: Conduct) { self.init { _ in conduct } }

  // MARK: Staging

  package func conducts(_ script: [Conduct]) { self.script = script.reversed() }

  package func conducts(_ conduct: Conduct) { rule = { _ in conduct } }

  package func conducts(_ rule: @escaping Rule) { self.rule = rule }

  /// Gives the address to an account, as if it had registered without regd.
  package func give(_ key: EmailKey, to id: AccountID) { holders[key] = id }

  /// Lets only this password sign in to an address from now on, or no password if it is nil.
  package func set(_ email: String, _ password: String?, id: String = "7") {
    logins[EmailKey(email)] = password.map { (id, $0) }
  }

  // MARK: Holding

  /// From now on every request waits until it is released.
  package func hold() { curtain.isDown = true }

  /// Returns as soon as `count` requests wait.
  package func reached(_ count: Int = 1) async {
    await withCheckedContinuation { curtain.reached(count, $0) }
  }

  /// Ends the wait of the request that came first. If `conduct` is nil, script and rule decide on the request.
  package func release(_ conduct: Conduct? = nil) { curtain.release(conduct) }

  /// Ends all waits, and holds nothing from now on.
  package func open() { curtain.open() }

  // MARK: NetworkService

  package func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool {
    let conduct = await conduct(of: .isAvailable(email))
    if let failure = conduct.failure { throw failure }
    return conduct != .refuses && holders[email.key] == nil
  }

  package func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure)
    -> UpstreamAnswer
  {
    let conduct = await conduct(of: .register(registration))
    let key = registration.email.key
    switch conduct {
    case .answers, .actsAndFails: holders[key] = holders[key] ?? registration.id
    case .takesOver: holders[key] = registration.id
    case .refuses, .fails: break
    }
    if let failure = conduct.failure { throw failure }
    return holders[key] == registration.id ? .registered : .taken
  }

  package func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
  {
    let conduct = await conduct(of: .signIn(email))
    if let failure = conduct.failure { throw failure }
    guard conduct != .refuses, let login = logins[email.key] else { return .rejected }
    return password.isSame(as: Fixtures.password(login.password)) ? .accepted(id: login.id) : .rejected
  }

  private func conduct(of request: Request) async -> Conduct {
    requests.append(request)
    inFlight += 1
    mostAtOnce = max(mostAtOnce, inFlight)
    defer { inFlight -= 1 }
    if curtain.isDown, let told = await withCheckedContinuation({ curtain.hold($0) }) { return told }
    if let next = script.popLast() { return next }
    return await rule(request)
  }
}

extension StagedNetwork {
  /// The addresses of all requests, as they were sent.
  package var addresses: [String] { requests.map(\.email.typed) }

  /// The requested registrations, in order.
  package var registrations: [UpstreamRegistration] {
    requests.compactMap { if case .register(let registration) = $0 { registration } else { nil } }
  }
}

extension StagedNetwork.Conduct {
  fileprivate var failure: NetworkFailure? {
    switch self {
    case .answers, .takesOver, .refuses: nil
    case .fails(let failure), .actsAndFails(let failure): failure
    }
  }
}
