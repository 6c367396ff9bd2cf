internal import CSimulation
internal import RegdClient
internal import Synchronization

/// Compares regd's answers to the administrator with the world's knowledge.
extension Probe {
  func judge(_ status: JSONValue) {
    let (before, after) = (accounts[0], accounts[1])
    for list in accounts {
      let keys = list.map(\.key)
      world.hold(.oneAccount, Set(keys).count == keys.count, "accounts share an address: \(keys)")
    }
    for known in world.requests.accounts { judge(known, after) }
    for listed in after { judge(listed) }
    judgeAttempts(after)
    world.judgeDoubts()
    if before == after { judgeAudit(after) }
    if world.hasSettled {
      // only now, because earlier a caller's abandoned request may still be in flight
      world.hold(
        .counters,
        status["hashing"]?["pending"]?.integer == 0
          && status["connections"]?.integer == world.callers.count { $0.isOpen && $0.daemon == daemon }
          && (status["users"]?.array ?? []).allSatisfy { ($0["inFlight"]?.integer ?? 0) <= 1 },
        "\(status["hashing"]?.text ?? "") \(status["connections"]?.text ?? "") \(status["users"]?.text ?? "")")
      let late = after.filter { $0.state == "pending" && (world.holder($0.key) ?? $0.id) == $0.id }
      for id in world.abandoned.sorted() {
        world.hold(
          .takenOver, !late.contains { $0.id == id }, "\(id) is still pending, and was asked for by one that left")
      }
      world.hold(.settled, late.isEmpty, "still pending: \(late.map(\.key))")
    }
    world.hold(
      .secrets, !simulated_disk_contains(World.secret, Int32(World.secret.utf8.count)), "a password is on the disk")
  }

  private func judge(_ known: KnownAccount, _ list: [Listed]) {
    let listed = list.first { $0.id == known.id }
    if known.isDeleted == true { return world.hold(.audit, listed == nil, "\(known.key) was deleted, and is there") }
    guard known.isDeleted == false else { return }
    if known.isActive, let daemon, known.daemon != daemon {
      world.hold(
        .shared, listed != nil, "\(known.key) was acknowledged by regd \(known.daemon), and not there at \(daemon)")
    }
    if known.isActive || !world.hasRival(known) {
      let promise: Promise = world.wasDisbelieved(known.key) ? .disbelief : .survives
      world.hold(promise, listed != nil, "\(known.key), \(known.id), was acknowledged, and is not there")
    }
    guard let listed else { return }
    if let isDisabled = known.isDisabled, known.isActive {
      world.hold(.audit, listed.state == (isDisabled ? "disabled" : "active"), "\(known.key) is \(listed.state)")
    }
    if listed.state == "active" {
      if world.scenario.admission.isApproved {
        let isExempt =
          world.scenario.admission.exemptsInvited
          && world.requests.attempts(for: known.key).contains { $0.invitation != nil }
        world.hold(
          .approvalFirst, known.approvals > 0 || isExempt, "\(known.key) is active, and nobody has approved it")
      }
      known.isActive = true
    }
  }

  private func judge(_ listed: Listed) {
    if listed.state == "active", world.scenario.network != .none {
      let holder = world.holder(listed.key)
      world.hold(
        .askedFirst, holder == listed.id,
        "\(listed.key) is active as \(listed.id); the upstream has \(holder ?? "nothing")")
    }
    let attempts = world.requests.attempts(for: listed.key).filter { !$0.isCertainlyNot && !$0.isNotStored }
    if world.scenario.admission.isVerified {
      let isProven =
        world.claims.claims(for: listed.key).contains { !$0.isRecovery && $0.proofs > 0 }
        || world.requests.attempts(for: listed.key).contains { world.invitation(of: $0.invitation)?.isMailed ?? false }
      world.hold(.claimFirst, isProven, "\(listed.key) is there, and no claim of it was proven")
    }
    let isCancelled = world.requests.attempts(for: listed.key).contains {
      $0.end == .refused(reason: "request.cancelled", pending: false)
    }
    world.hold(
      isCancelled ? .cancelled : .released, !attempts.isEmpty,
      "\(listed.key) is there, and nobody's registration of it can have made it")
  }

  private func judgeAttempts(_ list: [Listed]) {
    for attempt in world.requests.attempts {
      if case .refused(let reason, true) = attempt.end {
        let isThere = list.contains { $0.key == attempt.key }
        let wasThere = world.requests.accounts.contains { $0.key == attempt.key && $0.isDeleted != false }
        if reason.hasPrefix("network."), !world.mayBeReleased(attempt, reason), !wasThere,
          world.holder(attempt.key) != ""
        {
          let promise: Promise = world.wasDisbelieved(attempt.key) ? .disbelief : .perhaps
          world.hold(promise, isThere, "\(attempt.key) was said to be pending (\(reason)), and is not there")
        }
      }
      if attempt.end == .lost, let listed = list.first(where: { $0.key == attempt.key }) {
        world.hold(
          .wholly, ["active", "pending", "disabled", "waiting"].contains(listed.state),
          "\(attempt.key) is \(listed.state)")
      }
    }
    // with verification, a repeat may reach the upstream under another id, because each claim has its own id
    guard world.scenario.network != .none, !world.scenario.admission.isVerified else { return }
    for (key, asks) in Dictionary(grouping: world.upstream.state.withLock { $0.asks }, by: \.email).sorted(by: {
      $0.key < $1.key
    }) {
      let attempts = world.requests.attempts(for: key)
      let ids = Set(asks.map(\.id))
      // repeats with one requestId must have one Idempotency-Key, whatever their outcome
      guard let first = attempts.first, let requestId = first.requestId,
        attempts.allSatisfy({ $0.requestId == requestId && $0.uid == first.uid && $0.password == first.password }),
        !world.requests.accounts.contains(where: { $0.key == key && $0.isDeleted != false })
      else { continue }
      world.hold(.sameKey, ids.count == 1, "\(key) was asked for as \(ids.sorted())")
    }
  }

  private func judgeAudit(_ list: [Listed]) {
    world.hold(
      .paging, events == eventsAtOnce.prefix(events.count).map { $0 },
      "pages of four have \(events.count) entries, one page \(eventsAtOnce.count)")
    let numbers = events.compactMap { $0["entry"]?.integer }
    world.hold(.paging, numbers == numbers.sorted() && Set(numbers).count == numbers.count, "entries \(numbers)")
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
    world.hold(.audit, replayed == listed, "the audit says \(replayed), the list \(listed)")
  }
}
