internal import CSimulation
internal import RegdClient
internal import Synchronization

/// Compares regd's answers to the administrator with the oracle's knowledge.
extension Probe {
  func judge(_ status: JSONValue) {
    let (before, after) = (accounts[0], accounts[1])
    oracle.listing = ErasureChecks.Listing(keys: Set(after.map(\.key)))
    for list in accounts {
      let keys = list.map(\.key)
      hold(.oneAccount, Set(keys).count == keys.count, "accounts share an address: \(keys)")
    }
    for known in requests.accounts { judge(known, after) }
    for listed in after { judge(listed) }
    judgeAttempts(after)
    storeChecks.judgeDoubts()
    if before == after { judgeAudit(after) }
    if cluster.schedule.hasSettled {
      // only now, because earlier a caller's abandoned request may still be in flight
      hold(
        .counters,
        status["hashing"]?["pending"]?.integer == 0
          && status["connections"]?.integer == cluster.callers.all.count { $0.isOpen && $0.daemon == daemon }
          && (status["users"]?.array ?? []).allSatisfy { ($0["inFlight"]?.integer ?? 0) <= 1 },
        "\(status["hashing"]?.text ?? "") \(status["connections"]?.text ?? "") \(status["users"]?.text ?? "")")
      let late = after.filter { $0.state == "pending" && (holder($0.key) ?? $0.id) == $0.id }
      for id in cluster.abandoned.sorted() {
        hold(
          .takenOver, !late.contains { $0.id == id }, "\(id) is still pending, and was asked for by one that left")
      }
      hold(.settled, late.isEmpty, "still pending: \(late.map(\.key))")
    }
    hold(
      .secrets, !simulated_disk_contains(Leaks.secret, Int32(Leaks.secret.utf8.count)), "a password is on the disk")
  }

  private func judge(_ known: KnownAccount, _ list: [Listed]) {
    let listed = list.first { $0.id == known.id }
    if known.isDeleted == true { return hold(.audit, listed == nil, "\(known.key) was deleted, and is there") }
    guard known.isDeleted == false else { return }
    if known.isActive, let daemon, known.daemon != daemon {
      hold(
        .shared, listed != nil, "\(known.key) was acknowledged by regd \(known.daemon), and not there at \(daemon)")
    }
    if known.isActive || !hasRival(known) {
      let promise: Promise = oracle.wasDisbelieved(known.key) ? .disbelief : .survives
      hold(promise, listed != nil, "\(known.key), \(known.id), was acknowledged, and is not there")
    }
    guard let listed else { return }
    if let isDisabled = known.isDisabled, known.isActive {
      hold(.audit, listed.state == (isDisabled ? "disabled" : "active"), "\(known.key) is \(listed.state)")
    }
    if listed.state == "active" {
      if scenario.admission.isApproved {
        let isExempt =
          scenario.admission.exemptsInvited
          && requests.attempts(for: known.key).contains { $0.invitation != nil }
        hold(
          .approvalFirst, known.approvals > 0 || isExempt, "\(known.key) is active, and nobody has approved it")
      }
      known.isActive = true
    }
  }

  private func judge(_ listed: Listed) {
    if listed.state == "active", scenario.network != .none {
      let holder = holder(listed.key)
      hold(
        .askedFirst, holder == listed.id,
        "\(listed.key) is active as \(listed.id); the upstream has \(holder ?? "nothing")")
    }
    let attempts = requests.attempts(for: listed.key).filter { !$0.isCertainlyNot && !$0.isNotStored }
    if scenario.admission.isVerified {
      let isProven =
        claims.claims(for: listed.key).contains { !$0.isRecovery && $0.proofs > 0 }
        || requests.attempts(for: listed.key).contains { invitation(of: $0.invitation)?.isMailed ?? false }
      hold(.claimFirst, isProven, "\(listed.key) is there, and no claim of it was proven")
    }
    let isCancelled = requests.attempts(for: listed.key).contains {
      $0.end == .refused(reason: "request.cancelled", pending: false)
    }
    hold(
      isCancelled ? .cancelled : .released, !attempts.isEmpty,
      "\(listed.key) is there, and nobody's registration of it can have made it")
  }

  private func judgeAttempts(_ list: [Listed]) {
    for attempt in requests.attempts {
      if case .refused(let reason, true) = attempt.end {
        let isThere = list.contains { $0.key == attempt.key }
        let wasThere = requests.accounts.contains { $0.key == attempt.key && $0.isDeleted != false }
        if reason.hasPrefix("network."), !storeChecks.mayBeReleased(attempt, reason), !wasThere,
          holder(attempt.key) != ""
        {
          let promise: Promise = oracle.wasDisbelieved(attempt.key) ? .disbelief : .perhaps
          hold(promise, isThere, "\(attempt.key) was said to be pending (\(reason)), and is not there")
        }
      }
      if attempt.end == .lost, let listed = list.first(where: { $0.key == attempt.key }) {
        hold(
          .wholly, ["active", "pending", "disabled", "waiting"].contains(listed.state),
          "\(attempt.key) is \(listed.state)")
      }
    }
    // with verification, a repeat may reach the upstream under another id, because each claim has its own id
    guard scenario.network != .none, !scenario.admission.isVerified else { return }
    for (key, asks) in Dictionary(grouping: upstream.state.withLock { $0.asks }, by: \.email).sorted(by: {
      $0.key < $1.key
    }) {
      let attempts = requests.attempts(for: key)
      let ids = Set(asks.map(\.id))
      // repeats with one requestId must have one Idempotency-Key, whatever their outcome
      guard let first = attempts.first, let requestId = first.requestId,
        attempts.allSatisfy({ $0.requestId == requestId && $0.uid == first.uid && $0.password == first.password }),
        !requests.accounts.contains(where: { $0.key == key && $0.isDeleted != false })
      else { continue }
      hold(.sameKey, ids.count == 1, "\(key) was asked for as \(ids.sorted())")
    }
  }

  private func judgeAudit(_ list: [Listed]) {
    hold(
      .paging, auditChecks.begins(eventsAtOnce, with: events),
      "pages of four have \(events.count) entries, one page \(eventsAtOnce.count)")
    let numbers = events.compactMap { $0["entry"]?.integer }
    hold(.paging, numbers == numbers.sorted() && Set(numbers).count == numbers.count, "entries \(numbers)")
    var there: [String: String] = [:]
    var groups: [String: Set<String>] = [:]
    for event in eventsAtOnce {
      guard let id = event["account"]?.string else { continue }
      switch event["event"]?.string ?? "" {
      case "account.registered", "account.activated", "account.enabled": there[id] = "active"
      case "account.reserved", "account.resumed": there[id] = there[id] ?? "pending"
      case "account.waiting": there[id] = "waiting"
      case "account.approved": there[id] = "active"
      case "account.disabled": there[id] = "disabled"
      case "account.released", "account.deleted", "account.refused": (there[id], groups[id]) = (nil, nil)
      case "account.grouped":
        groups[id, default: []].subtract((event["removed"]?.array ?? []).compactMap(\.string))
        groups[id, default: []].formUnion((event["added"]?.array ?? []).compactMap(\.string))
      default: break
      }
    }
    let replayed = there.map { "\($0.key) \($0.value) \((groups[$0.key] ?? []).sorted())" }.sorted()
    let listed = list.map { "\($0.id) \($0.state) \($0.groups)" }.sorted()
    hold(.audit, replayed == listed, "the audit says \(replayed), the list \(listed)")
  }
}
