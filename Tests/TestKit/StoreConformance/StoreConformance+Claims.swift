internal import Registration
import TestDoubles

extension StoreConformance {
  private static func stamp(_ seconds: Int) -> Stamp { Stamp(Fixtures.time.advanced(by: .seconds(seconds))) }

  private static let once = Delivery(
    attempts: 1, failure: .timeout, next: Fixtures.time.advanced(by: .microseconds(1_500_001)))

  /// Rules for every store that several regd processes have open at once.
  package static let sharing: [ConformanceRule<SharedStore>] = claims + deliveries + leases + sharedTree

  private static let claims: [ConformanceRule<SharedStore>] = [
    .init("while one regd has the lease of a pending account, no other can resume, renew, release or delete it") {
      subject in
      let (a, b) = try await subject.pair()
      let account = Fixtures.account(state: .pending)
      let id = account.account.id
      try same(try await a.insert(account), .inserted, "reserved")
      for seen in [Fixtures.time, stamp(5).time] {
        try same(try await b.resume(id, seen: seen, stamp(9)), .claimed(wasPutOff: false), "resumed by another")
        try same(try await b.renew(id, seen: seen, for: .daemon), false, "renewed by another")
        try same(try await b.release(id, seen: seen), false, "released by another")
      }
      try same(try await b.delete(id, stamp(9)), .claimed, "deleted by another")
      try same(try await b.find(id), account, "the account")
      try same(try await b.audit(after: 0, limit: 9).count, 1, "entries of the audit")
      try same(try await b.pending(after: nil, limit: 9).map(\.isClaimedElsewhere), [true], "as another regd lists it")
      try same(try await b.find(pending: id)?.isClaimedElsewhere, true, "as another regd finds it")
      try same(try await a.pending(after: nil, limit: 9).map(\.isClaimedElsewhere), [false], "as its own regd lists it")
    },
    .init("a regd can resume and release a pending account under its own lease, even after a restart") { subject in
      let account = Fixtures.account(state: .pending)
      let id = account.account.id
      let (before, _) = try await subject.pair()
      _ = try await before.insert(account)
      let (after, b) = try await subject.pair()
      try same(try await after.find(pending: id)?.isClaimedElsewhere, false, "found")
      try same(try await after.resume(id, seen: Fixtures.time, stamp(1)), .resumed, "resumed")
      try same(try await b.resume(id, seen: stamp(1).time, stamp(2)), .claimed(wasPutOff: false), "by another")
      try same(try await after.release(id, seen: stamp(1).time), true, "released")
    },
    .init("after a takeover of an expired lease, the first regd can no longer put off, release or delete the account") {
      subject in
      for lease in [Duration.zero, .seconds(-3600)] {
        let (a, b) = try await subject.pair(lease: lease)
        let account = Fixtures.account("\(lease)@example.com", state: .pending)
        let id = account.account.id
        _ = try await a.insert(account)
        try same(try await b.find(pending: id)?.isClaimedElsewhere, false, "found by the other")
        try same(try await b.resume(id, seen: Fixtures.time, stamp(1)), .resumed, "taken over")
        try same(try await a.putOff(id, seen: Fixtures.time, once), false, "put off by the first")
        try same(try await a.renew(id, seen: Fixtures.time, for: .daemon), false, "renewed by the first")
        try same(try await a.release(id, seen: Fixtures.time), false, "released by the first")
        try same(try await a.delete(id, stamp(2)), .claimed, "deleted by the first")
        try same(
          try await a.resume(id, seen: stamp(1).time, stamp(2)), .claimed(wasPutOff: false), "taken back by the first")
        let pending = try await b.find(pending: id)
        try same(pending?.delivery, nil, "its delivery")
        try same(pending?.stored.account.updatedAt, stamp(1).time, "its fencing token")
        try same(try await b.release(id, seen: stamp(1).time), true, "released by the second")
      }
    },
    .init("a lease is renewed with the current fencing token, and this changes neither the account nor the audit") {
      subject in
      let (a, b) = try await subject.pair(lease: .zero)
      let account = Fixtures.account(state: .pending)
      let id = account.account.id
      _ = try await a.insert(account)
      let (patient, _) = try await subject.pair()
      try same(try await patient.renew(id, seen: stamp(1).time, for: .daemon), false, "with another token")
      for _ in 0..<2 { try same(try await patient.renew(id, seen: Fixtures.time, for: .daemon), true, "renewed") }
      try same(try await b.resume(id, seen: Fixtures.time, stamp(1)), .claimed(wasPutOff: false), "by another regd")
      try same(try await b.find(id), account, "the account")
      try same(try await b.audit(after: 0, limit: 9).count, 1, "entries of the audit")
      _ = try await a.activate(id, stamp(1))
      try same(try await patient.renew(id, seen: stamp(1).time, for: .daemon), false, "when it is active")
    },
    .init("activating a pending account needs no lease, and ends another regd's lease") { subject in
      let (a, b) = try await subject.pair()
      let account = Fixtures.account(state: .pending)
      let id = account.account.id
      _ = try await a.insert(account)
      try same(try await b.activate(id, stamp(1))?.state, .active, "activated by another")
      try same(try await a.find(pending: id), nil, "afterwards")
      try same(try await a.putOff(id, seen: stamp(1).time, once), false, "put off")
      try same(try await a.delete(id, stamp(2)), .deleted, "deleted")
    },
    .init("of twenty simultaneous takeovers of a pending account, one gets the lease") { subject in
      let (a, b) = try await subject.pair()
      let account = Fixtures.account(state: .pending)
      let id = account.account.id
      _ = try await a.importing([account], stamp(0))
      let answers = try await withThrowingTaskGroup(of: ResumeAnswer.self) { group in
        for number in 0..<20 {
          group.addTask {
            try await (number % 2 == 0 ? a : b).resume(id, seen: Fixtures.time, stamp(number + 1))
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      try same(answers.filter { $0 == .resumed }.count, 1, "takeovers")
      let claimed = [try await a.find(pending: id), try await b.find(pending: id)].map { $0?.isClaimedElsewhere }
      try same(Set(claimed), [true, false], "whether another regd has the lease")
    },
    .init("the audit records which regd made a change") { subject in
      let (a, b) = try await subject.pair()
      let account = Fixtures.account(state: .pending)
      let id = account.account.id
      _ = try await a.insert(account)
      _ = try await a.resume(id, seen: Fixtures.time, stamp(1))
      _ = try await b.activate(id, stamp(2))
      _ = try await a.setEnabled(id, false, stamp(3))
      _ = try await b.setPassword(of: id, to: PasswordHash(phc: "new"), stamp(4))
      _ = try await a.delete(id, stamp(5))
      let makers = try await b.audit(after: 0, limit: 9).map { $0.regd.map { String($0.prefix(1)) } }
      try same(makers, ["a", "a", "b", "a", "b", "a"], "made by")
    },
  ]

  private static let deliveries: [ConformanceRule<SharedStore>] = [
    .init("a delivery that is put off is visible to every regd, survives a restart, and can be taken over") { subject in
      let (a, b) = try await subject.pair()
      let account = Fixtures.account(state: .pending)
      let id = account.account.id
      _ = try await a.insert(account)
      try same(try await a.find(pending: id)?.delivery, nil, "before")
      for _ in 0..<2 { try same(try await a.putOff(id, seen: Fixtures.time, once), true, "put off") }
      for store in [b, try await subject.pair().a] {
        let expected = PendingAccount(account, delivery: once, isClaimedElsewhere: false)
        try same(try await store.find(pending: id), expected, "found")
        try same(try await store.pending(after: nil, limit: 9), [expected], "listed")
      }
      try same(try await b.resume(id, seen: Fixtures.time, stamp(1)), .resumed, "taken over")
      try same(
        try await a.putOff(id, seen: Fixtures.time, Delivery(attempts: 9, failure: nil, next: Fixtures.time)), false,
        "put off by the first, too late")
      try same(try await a.find(pending: id)?.delivery, once, "the delivery afterwards")
      let twice = Delivery(attempts: 2, failure: nil, next: stamp(7).time)
      try same(try await b.putOff(id, seen: stamp(1).time, twice), true, "put off by the other")
      try same(try await a.find(pending: id)?.delivery, twice, "the last delivery")
      try same(try await a.audit(after: 0, limit: 9).map(\.change), [.reserved, .resumed], "the audit")
    },
    .init("resuming an account under another regd's lease reports whether its delivery was deferred before") {
      subject in
      let (a, b) = try await subject.pair()
      let account = Fixtures.account(state: .pending)
      let id = account.account.id
      _ = try await a.insert(account)
      // nil: the upstream has answered and the store failed afterwards, so that no caller got `deferred`
      let noted: [(failure: NetworkFailure?, wasPutOff: Bool)] = [
        (nil, false), (.rejected, false), (.untrusted, false), (.offline, true), (.malformedResponse, true),
        (.unavailable(retryAfterSeconds: 7), true), (.failed, true),
      ]
      for (failure, wasPutOff) in noted {
        let delivery = Delivery(attempts: 1, failure: failure, next: Fixtures.time)
        _ = try await a.putOff(id, seen: Fixtures.time, delivery)
        try same(try await a.renew(id, seen: Fixtures.time, for: .daemon), true, "renewed")
        let answer = try await b.resume(id, seen: Fixtures.time, stamp(1))
        try same(answer, .claimed(wasPutOff: wasPutOff), "after \(failure.map { "\($0)" } ?? "none")")
      }
    },
    .init("a pending account keeps the user and origin that reserved it when another user resumes it") { subject in
      let (a, b) = try await subject.pair()
      let (own, account) = (Fixtures.account("own@example.com", state: .pending), Fixtures.account(state: .pending))
      let by = Requester(uid: 7, pid: 8, origin: Origin("one"))
      _ = try await a.insert(own)
      _ = try await a.insert(account, request: nil, Stamp(Fixtures.time, by: by))
      let again = Stamp(stamp(1).time, by: Requester(uid: 9, pid: 8))
      _ = try await a.resume(account.account.id, seen: Fixtures.time, again)
      for store in [a, b] {
        try same(try await store.find(pending: account.account.id)?.share, by.share, "found")
        try same(try await store.find(pending: own.account.id)?.share, .daemon, "of an account without a requester")
        let listed = try await store.pending(after: nil, limit: 9)
        try same(listed.first { $0.stored.account.id == account.account.id }?.share, by.share, "listed")
        try same(listed.count, 2, "listed")
      }
    },
    .init("each delivery failure is read back as it was noted") { subject in
      let (a, b) = try await subject.pair()
      let account = Fixtures.account(state: .pending)
      let id = account.account.id
      _ = try await a.insert(account)
      let failures: [NetworkFailure?] = [
        nil, .offline, .unavailable(retryAfterSeconds: nil), .unavailable(retryAfterSeconds: 0),
        .unavailable(retryAfterSeconds: 86_400), .timeout, .emptyResponse, .malformedResponse, .rejected,
        .throttled(retryAfterSeconds: nil), .throttled(retryAfterSeconds: 7), .tooEarly,
        .congested(retryAfterSeconds: 3), .untrusted, .failed,
      ]
      for (number, failure) in failures.enumerated() {
        let delivery = Delivery(attempts: number, failure: failure, next: stamp(number).time)
        _ = try await a.putOff(id, seen: Fixtures.time, delivery)
        try same(try await b.find(pending: id)?.delivery, delivery, "\(String(describing: failure))")
      }
    },
    .init("an account is put off only if it is pending and the fencing token is current") { subject in
      let (a, _) = try await subject.pair()
      try same(try await a.putOff(Fixtures.account().account.id, seen: Fixtures.time, once), false, "a missing account")
      for state in Account.State.allCases {
        let account = Fixtures.account("\(state)@example.com", state: state)
        _ = try await a.insert(account)
        let id = account.account.id
        try same(try await a.putOff(id, seen: stamp(1).time, once), false, "\(state), with another token")
        try same(try await a.putOff(id, seen: Fixtures.time, once), state == .pending, "\(state)")
        try same(try await a.find(pending: id)?.delivery, state == .pending ? once : nil, "\(state), noted")
        try same(try await a.find(id), account, "\(state), the account")
      }
    },
    .init("an account that is released or deleted and then imported again has no delivery and no lease") { subject in
      let (a, b) = try await subject.pair()
      let account = Fixtures.account(state: .pending)
      let id = account.account.id
      for isReleased in [true, false] {
        _ = try await a.insert(account)
        _ = try await a.putOff(id, seen: Fixtures.time, once)
        if isReleased { _ = try await a.release(id, seen: Fixtures.time) } else { _ = try await a.delete(id, stamp(1)) }
        _ = try await a.importing([account], stamp(2))
        let expected = PendingAccount(account, delivery: nil, isClaimedElsewhere: false)
        try same(try await b.find(pending: id), expected, isReleased ? "released" : "deleted")
        _ = try await b.delete(id, stamp(3))
      }
    },
    .init("a delivery is put off even if the caller is cancelled") { subject in
      let (a, b) = try await subject.pair()
      let account = Fixtures.account(state: .pending)
      let id = account.account.id
      _ = try await a.insert(account)
      let isNoted = await withTaskGroup(of: Bool.self) { group in
        group.addTask {
          withUnsafeCurrentTask { $0?.cancel() }
          return (try? await a.putOff(id, seen: Fixtures.time, once)) == true
        }
        return await group.next()
      }
      try same(isNoted, true, "done")
      try same(try await b.find(pending: id)?.delivery, once, "noted")
    },
  ]
}
