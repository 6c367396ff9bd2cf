import Registration

/// Fails as it is told for the first addresses, and registers all others; may be off altogether.
actor Stumbling: NetworkService {
  var isOff = false
  private let failure: NetworkFailure
  private let bad: Set<String>
  private(set) var asked: [String] = []

  init(_ failure: NetworkFailure, for bad: [String]) {
    self.failure = failure
    self.bad = Set(bad)
  }

  func turn(off isOff: Bool) { self.isOff = isOff }

  func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool { true }

  func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
  {
    .rejected
  }

  func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure) -> UpstreamAnswer {
    asked.append(registration.email.typed)
    if isOff { throw .offline }
    if bad.contains(registration.email.typed) { throw failure }
    return .registered
  }
}

/// Lets everybody wait until it is opened.
actor Gated: NetworkService {
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private(set) var asked: [AccountID] = []

  func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool { true }

  func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
  {
    .rejected
  }

  func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure) -> UpstreamAnswer {
    asked.append(registration.id)
    if !isOpen { await withCheckedContinuation { waiting.append($0) } }
    return .registered
  }

  func reached(_ count: Int) async { while waiting.count < count { await Task.yield() } }

  func open() {
    isOpen = true
    for waiter in waiting { waiter.resume() }
    waiting = []
  }
}

/// Another network from some time on.
actor Switched: NetworkService {
  private var network: any NetworkService

  init(_ network: any NetworkService) { self.network = network }

  func set(_ network: any NetworkService) { self.network = network }

  func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool {
    try await network.isAvailable(email, for: share)
  }

  func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
  {
    try await network.signIn(email, password, for: share)
  }

  func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure) -> UpstreamAnswer {
    try await network.register(registration, for: share)
  }
}
