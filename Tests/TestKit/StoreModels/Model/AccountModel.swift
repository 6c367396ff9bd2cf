internal import Registration
import TestDoubles

/// The simplest model of regd's accounts and requests: two dictionaries. Random runs are compared with it.
struct AccountModel {
  struct Entry: Equatable {
    let id: AccountID
    var password: String
    var state: Account.State
    var groups: Set<GroupName> = []
    var displayName: String?
  }

  struct Request: Equatable {
    let key: String
    /// The password that came with the request.
    let password: String
  }

  var accounts: [String: Entry] = [:]
  var requests: [RequestKey: Request] = [:]

  mutating func remove(_ key: String) {
    accounts[key] = nil
    requests = requests.filter { $0.value.key != key }
  }

  mutating func note(_ request: RequestKey?, _ key: String, _ password: String) {
    guard let request, requests[request] == nil else { return }
    requests[request] = Request(key: key, password: password)
  }

  /// The required answer to a registration, which depends on the upstream's answer if regd asks the upstream.
  enum Answer: Equatable {
    case registered
    case taken
    case conflict
    case network(isPending: Bool)
  }

  /// - Parameter upstream: The upstream's next answer, or nil if there is no upstream.
  mutating func register(
    _ key: String, _ password: String, _ request: RequestKey?, upstream: Upstream?, newID: AccountID?
  ) -> Answer {
    if let request, let known = requests[request] {
      guard known.key == key, known.password == password else { return .conflict }
      guard accounts[key]?.state == .pending else { return .registered }
      return resume(key, password, request, upstream)
    }
    if let holder = accounts[key] {
      guard holder.state == .pending, holder.password == password else { return .taken }
      return resume(key, password, request, upstream)
    }
    switch upstream {
    case nil, .accepts:
      if let newID { accounts[key] = Entry(id: newID, password: password, state: .active) }
      note(request, key, password)
      return .registered
    case .isOffline: return .network(isPending: false)
    case .hasTaken: return .taken
    case .timesOut:
      if let newID { accounts[key] = Entry(id: newID, password: password, state: .pending) }
      note(request, key, password)
      return .network(isPending: true)
    }
  }

  /// Applies the upstream's answer to everything pending.
  ///
  /// - Parameter answer: Returns the upstream's answer for the account with this key.
  mutating func deliver(_ answer: (_ key: String) -> Upstream) {
    for key in accounts.keys where accounts[key]?.state == .pending {
      switch answer(key) {
      case .accepts: accounts[key]?.state = .active
      // regd does not accept the first `hasTaken`, because an earlier request may still be in progress
      case .isOffline, .timesOut, .hasTaken: break
      }
    }
  }

  private mutating func resume(
    _ key: String, _ password: String, _ request: RequestKey?, _ upstream: Upstream?
  ) -> Answer {
    note(request, key, password)
    switch upstream {
    case nil, .accepts:
      accounts[key]?.state = .active
      return .registered
    // an earlier request may still be in progress, so regd does not accept `taken`
    case .isOffline, .timesOut, .hasTaken: return .network(isPending: true)
    }
  }
}

/// The upstream's answer to the next registration.
enum Upstream: CaseIterable, Sendable {
  case accepts, isOffline, timesOut, hasTaken
}

extension Upstream {
  var conduct: StagedNetwork.Conduct {
    switch self {
    case .accepts: .takesOver
    case .isOffline: .fails(.offline)
    case .timesOut: .fails(.timeout)
    case .hasTaken: .refuses
    }
  }
}
