internal import RegdClient

/// Checks the answers to registrations, and records them.
struct RegistrationChecks: Checking {
  let oracle: Oracle

  func registered(_ attempt: Attempt, _ end: Request.End, by daemon: Int) {
    switch end {
    case .unsent: attempt.end = .unsent
    case .lost: attempt.end = .lost
    case .reply:
      admissionChecks.judgeInvitation(of: attempt, end.reason)
      if let claim = end.result?["claim"] {
        claimChecks.claimed(attempt, claim)
      } else if let account = end.result?["account"], let id = account["id"]?.string,
        let state = account["state"]?.string
      {
        attempt.end = .acknowledged(id: id, state: state)
        acknowledged(attempt, id, state, account["email"]?.string ?? "", by: daemon)
      } else {
        attempt.end = .refused(reason: end.reason ?? "none", pending: end.isPending)
        refused(attempt, end.reason ?? "none", isPending: end.isPending)
      }
    }
  }

  func acknowledged(_ attempt: Attempt, _ id: String, _ state: String, _ email: String, by daemon: Int) {
    hold(.oneAccount, email.lowercased() == attempt.key, "\(email) was registered for \(attempt.email)")
    // the reply may be read late, when the account is deleted already
    let isGone = requests.account(id: id).map { $0.isDeleted != false } ?? false
    let others = isGone ? [] : requests.standing(for: attempt.key).filter { $0.id != id && $0.isDeleted == false }
    // the upstream may have given the address of a waiting account to another registration
    let rivals = others.filter { $0.isActive || !hasRival($0) }
    hold(.oneAccount, rivals.isEmpty, "\(attempt.key) has two accounts: \(id) and \(rivals.map(\.id))")
    if state == "pending" { hold(.deferred, scenario.network == .defer, "\(id) is pending without defer") }
    if state == "active", scenario.network != .none {
      hold(
        .askedFirst, holder(attempt.key) == id,
        "\(id) is active, and the upstream has \(holder(attempt.key) ?? "nothing")")
    }
    if let requestId = attempt.requestId {
      for twin in requests.attempts(for: attempt.key)
      where twin !== attempt && twin.requestId == requestId && twin.uid == attempt.uid {
        guard case .acknowledged(let other, _) = twin.end, requests.account(id: other)?.isDeleted == false else {
          continue
        }
        hold(
          .sameAnswer, other == id || requests.account(id: other).map(hasRival) ?? false,
          "\(requestId) was \(other) and is \(id)")
      }
    }
    requests.acknowledge(id, attempt, by: daemon, isActive: state == "active")
  }

  private func refused(_ attempt: Attempt, _ reason: String, isPending: Bool) {
    if ["network.timeout", "network.emptyResponse", "network.malformedResponse", "network.failed"].contains(reason) {
      hold(.perhaps, isPending, "\(attempt.key): \(reason) without pending")
    }
    if [
      "network.offline", "network.unavailable", "network.rejected", "email.taken", "validation.failed",
      "request.cancelled",
    ]
    .contains(reason) {
      let others = requests.attempts(for: attempt.key).filter { $0 !== attempt && $0.mayHaveMet(attempt) }
      // if the store has failed, regd may have been unable to release (withdraw) the registration
      if others.isEmpty, !mayHaveFailed(at: attempt.daemon, since: attempt.began) {
        hold(.released, !isPending, "\(attempt.key): \(reason) with pending, and nobody else asked for it")
      }
      if others.isEmpty, reason == "email.taken" {
        hold(.taken, holder(attempt.key) != nil, "\(attempt.key) is taken, and nobody has asked for it")
      }
    }
    // with a mailed invitation, regd answers openly, because the person reads the address's mail
    if scenario.admission.conceals, !(invitation(of: attempt.invitation)?.isMailed ?? false) {
      hold(.concealed, reason != "email.taken", "\(attempt.key) is told to be taken")
    }
    if reason == "validation.failed", attempt.invitation != nil || !scenario.admission.isInvited {
      hold(.validated, false, "\(attempt.key): a good registration is not valid")
    }
    if reason == "request.conflict" {
      let isOurs = requests.attempts.contains {
        $0 !== attempt && $0.uid == attempt.uid && $0.requestId == attempt.requestId
          && ($0.key != attempt.key || $0.password != attempt.password)
      }
      hold(.conflict, isOurs, "\(attempt.requestId ?? "") was used for nothing else")
    }
    let isKnown = Self.reasons.contains(reason) || reason.hasPrefix("network.") || reason.hasPrefix("store.")
    hold(.oneReply, isKnown, "registration.register has the reason \(reason)")
  }

  private static let reasons = [
    "email.taken", "validation.failed", "request.conflict", "request.cancelled", "request.timeout", "server.busy",
    "server.draining", "rate.limited", "account.pending", "invitation.rejected",
    "registration.closed", "rpc.internal",
  ]
}
