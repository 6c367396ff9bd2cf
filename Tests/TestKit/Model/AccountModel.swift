internal import Registration

/// What regd must remember, as simply as it can be said: a dictionary. Random runs are held against it.
struct AccountModel {
  struct Entry: Equatable {
    let id: AccountID
    var password: String
    var state: Account.State
  }

  struct Request: Equatable {
    let key: String
    /// The password that the request came with.
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

  /// What registering must answer, given what the upstream will say if it is asked; and what is then the case.
  enum Answer: Equatable {
    case registered
    case taken
    case conflict
    case network(isPending: Bool)
  }

  /// - Parameter upstream: What it will say; nil where there is none.
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

  /// What becomes of all that is pending when the upstream is asked for it.
  mutating func deliver(_ upstream: Upstream) {
    for key in accounts.keys where accounts[key]?.state == .pending {
      switch upstream {
      case .accepts: accounts[key]?.state = .active
      // it is not believed the first time
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
    // what was asked before may still be at work: that it is taken is not believed
    case .isOffline, .timesOut, .hasTaken: return .network(isPending: true)
    }
  }
}

/// What an upstream says to the next registration.
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
