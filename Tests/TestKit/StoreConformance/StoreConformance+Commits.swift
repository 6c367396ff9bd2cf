package import Registration
import TestDoubles

extension StoreConformance {
  /// The accounts before a change, and the change's arguments.
  struct Scene: Sendable {
    let active = Fixtures.account("active@example.com", hash: "old")
    let pending = Fixtures.account("pending@example.com", state: .pending)
    let fresh = Fixtures.account("fresh@example.com", state: .pending)
    let imported = Fixtures.account("i@example.com", hash: "x")
    let claims: Claims
    let invited: Invited
    let request: RequestKey
    let another: RequestKey
    let later = Stamp(Fixtures.time.advanced(by: .seconds(1)), by: Requester(uid: 7, pid: 8))

    init() throws {
      guard let request = RequestKey(uid: 7, id: "one"), let another = RequestKey(uid: 7, id: "two") else {
        throw Broken(description: "invalid request ids")
      }
      (self.request, self.another) = (request, another)
      claims = Claims(of: active.account.id)
      invited = Invited()
    }

    /// All requests that a change may concern.
    var requests: [RequestKey] {
      [request, another] + [claims.open, claims.fresh].compactMap(\.request)
    }

    func prepare(_ store: Accounts, withClaims hasClaims: Bool = false) async throws {
      if hasClaims {
        for invitation in [invited.many, invited.one, invited.mailed] {
          _ = try await store.add(invitation, nil, Stamp(Fixtures.time))
        }
        for (claim, mail) in zip(claims.prepared, claims.mails) {
          let invitation = claim == claims.open ? invited.many.id : claim == claims.rival ? invited.one.id : nil
          _ = try await store.add(claim, mail, invitation: invitation, Stamp(Fixtures.time))
        }
        _ = try await store.insert(
          invited.waiting, request: nil, Admission(invitation: invited.many.id), Stamp(Fixtures.time))
      }
      _ = try await store.insert(active)
      let admission = Admission(invitation: hasClaims ? invited.many.id : nil)
      _ = try await store.insert(pending, request: request, admission, Stamp(Fixtures.time))
    }
  }

  /// Everything that a store shows of a scene, to be compared.
  struct Sight: Equatable {
    let accounts: [StoredAccount]
    let entries: [AuditEntry]
    let requests: [KnownRequest?]
    let released: [ReleasedRegistration]
    let pending: [PendingAccount]
    let claims: [AddressClaim]
    let mails: [StoredMail?]
    let invitations: [CountedInvitation]

    init(_ store: Accounts, _ scene: Scene) async throws {
      // requests first, because reading lists settles a commit in doubt (one that may or may not have been done)
      var requests: [KnownRequest?] = []
      for request in scene.requests { requests.append(try await store.find(request)) }
      self.requests = requests
      accounts = try await store.list(after: nil, limit: 100)
      entries = StoreConformance.anonymous(try await store.audit(after: 0, limit: 100))
      released = try await store.released(scene.request, scene.pending.account.email.key, at: Fixtures.time)
      pending = try await store.pending(after: nil, limit: 100)
      claims = try await store.claims(after: nil, limit: 100, at: Fixtures.time)
      var mails: [StoredMail?] = []
      for mail in scene.claims.mails + [scene.claims.notice, scene.invited.mail] {
        mails.append(try await store.find(mail: mail.id))
      }
      self.mails = mails
      invitations = try await store.invitations(after: nil, limit: 100, at: Fixtures.time)
    }
  }

  /// The entries without the name of the regd that made them.
  package static func anonymous(_ entries: [AuditEntry]) -> [AuditEntry] {
    entries.map { entry in
      AuditEntry(
        number: entry.number, change: entry.change, account: entry.account, email: entry.email,
        stamp: Stamp(entry.time, by: entry.by), regd: nil, invitation: entry.invitation, terms: entry.terms,
        groups: entry.groups)
    }
  }

  typealias Change = @Sendable (Accounts, Scene) async throws(StoreFailure) -> Void

  /// All changes. `hasClaims` is true if a change needs claims in the store before it.
  static let changes: [(name: String, hasClaims: Bool, change: Change)] =
    accountChanges.map { ($0.name, false, $0.change) }
    + (claimChanges + invitedChanges).map { ($0.name, true, $0.change) }

  /// Rules for failing commits, for every store whose commits can fail.
  package static let commits: [ConformanceRule<FailingStore>] =
    changes.flatMap { name, hasClaims, change in
      FailingStore.Fault.allCases.flatMap { fault in
        [1, nil].map { (times: Int?) in
          ConformanceRule(
            "\(name): if the commit is not \(fault == .write ? "written" : "synced")\(times == nil ? "" : " once"), all readers see all of it or nothing"
          ) { subject in
            try await checkCommit(subject, hasClaims, change, fault, times)
          }
        }
      }
    } + [
      .init("while a claim's commit is in doubt, it is not reported missing, and the account at its address is found") {
        subject in
        let scene = try Scene()
        try await scene.prepare(subject.store)
        subject.fail(.sync, nil)
        let (claim, mail) = (scene.claims.recovery, scene.claims.mails[2])
        _ = await failure { () async throws(StoreFailure) in
          _ = try await subject.store.add(claim, mail, scene.later)
        }
        try await notDenied("the claim") { () async throws(StoreFailure) in
          try await subject.store.find(claim.id, at: Fixtures.time) != nil
        }
        try same(try await subject.store.find(claim.email.key), scene.active, "the account of its address")
      },
      .init("while a commit is in doubt, its account is not reported missing, and other accounts are found") {
        subject in
        let scene = try Scene()
        try await scene.prepare(subject.store)
        subject.fail(.sync, nil)
        _ = await failure { () async throws(StoreFailure) in
          _ = try await subject.store.insert(scene.fresh, request: scene.another, scene.later)
        }
        try await notDenied("by key") { () async throws(StoreFailure) in
          try await subject.store.find(scene.fresh.account.email.key) != nil
        }
        try await notDenied("by id") { () async throws(StoreFailure) in
          try await subject.store.find(scene.fresh.account.id) != nil
        }
        try await notDenied("by request") { () async throws(StoreFailure) in
          try await subject.store.find(scene.another) != nil
        }
        try await notDenied("in the list") { () async throws(StoreFailure) in
          try await subject.store.list(after: nil, limit: 9).count == 3
        }
        try await notDenied("in the audit") { () async throws(StoreFailure) in
          try await subject.store.audit(after: 0, limit: 9).count == 3
        }
        try await notDenied("healthy") { () async throws(StoreFailure) in
          try await subject.store.check()
          return false
        }
        try same(try await subject.store.find(scene.active.account.id), scene.active, "another")
        let next = await failure { () async throws(StoreFailure) in
          _ = try await subject.store.delete(scene.active.account.id, scene.later)
        }
        let again = await failure { () async throws(StoreFailure) in
          _ = try await subject.store.insert(scene.fresh, request: scene.another, scene.later)
        }
        try same(again?.isUnknown, true, "whether a repeat is unknown: \(String(describing: again))")
        // It is unavailable if a store that has seen commits fail begins no further one, and unknown if a server may
        // have made the commit.
        guard let next, next.isUnavailable || next.isUnknown else {
          throw Broken(description: "the next change ended with \(String(describing: next))")
        }
        subject.heal()
        let other = try await subject.store.find(scene.active.account.id)
        if other != nil || next.isUnavailable { try same(other, scene.active, "another, afterwards") }
        try await subject.store.check()
      },
    ]

  /// Fails if the store reports something as missing, but accepts a failure of the store.
  private static func notDenied(_ how: String, _ look: () async throws(StoreFailure) -> Bool) async throws {
    do throws(StoreFailure) {
      let isThere = try await look()
      if !isThere { throw .readOnly }
    } catch {
      guard error.isUnavailable || error.isUnknown else { throw Broken(description: "\(how): reported as missing") }
    }
  }

  private static func checkCommit(
    _ subject: FailingStore, _ hasClaims: Bool, _ change: Change, _ fault: FailingStore.Fault, _ times: Int?
  ) async throws {
    let scene = try Scene()
    let reference = MemoryStore().accounts
    try await scene.prepare(reference, withClaims: hasClaims)
    try await scene.prepare(subject.store, withClaims: hasClaims)
    let before = try await Sight(subject.store, scene)
    try same(before, try await Sight(reference, scene), "before")
    try await change(reference, scene)
    let after = try await Sight(reference, scene)
    subject.fail(fault, times)
    let failure = await failure { () async throws(StoreFailure) in try await change(subject.store, scene) }
    guard case .unknown = failure else { throw Broken(description: "ended with \(String(describing: failure))") }
    let killed = try await Sight(try await subject.killedThen(), scene)
    guard killed == before || killed == after else {
      throw Broken(description: "half done after a kill: \(killed)")
    }
    subject.heal()
    let seen = try await Sight(subject.store, scene)
    guard seen == before || seen == after else { throw Broken(description: "half done: \(seen)") }
    try same(try await Sight(try await subject.killedNow(), scene), seen, "after a later kill")
    try same(anonymous(subject.observed()), seen.entries, "the observer's entries")
    // makes the change now if the failed commit did not
    if seen == before { try await change(subject.store, scene) }
    try same(try await Sight(subject.store, scene), after, "in the end")
  }

  static func failure(_ body: () async throws(StoreFailure) -> Void) async -> StoreFailure? {
    do throws(StoreFailure) {
      try await body()
      return nil
    } catch {
      return error
    }
  }
}
