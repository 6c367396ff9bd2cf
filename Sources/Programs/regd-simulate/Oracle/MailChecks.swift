internal import CSimulation
internal import RegdClient
internal import Registration
internal import Synchronization

/// Compares the mails that regd sent with the requests that caused them.
struct MailChecks: Checking {
  let oracle: Oracle

  /// Takes the faults and findings of the mail system since the last step.
  func watch() {
    let (met, findings) = mails.takeMet()
    for fault in met { tally.met(fault) }
    invitations.readCodes(in: mails)
    for finding in findings { hold(finding.0, finding.isKept, finding.detail) }
  }

  /// - Parameters:
  ///   - waiting: The mails that wait, as regd lists them for an administrator.
  ///   - hasSettled: Whether the mail system has worked for long enough that no mail may wait.
  func judge(_ waiting: [JSONValue], hasSettled: Bool) {
    let ids = Set(waiting.compactMap { $0["id"]?.string })
    for (id, isTaken) in mails.endedInThisLife where !faultLog.hadDiskFault && !faultLog.hasSlowLine {
      hold(isTaken ? .mailOnce : .mailFinal, !ids.contains(id), "\(id) was \(isTaken ? "taken" : "refused"), and waits")
    }
    mails.settle(waiting: ids)
    if hasSettled {
      hold(.mailsGoOut, waiting.isEmpty, "\(waiting.map(\.text)) wait, and the mail system works")
    }
    let tries = mails.state.withLock { $0.tries }
    for claim in claims.all where !claim.isRecovery && !claims.isAmbiguous(claim) { judge(claim, tries, waiting) }
    judgeNotices(tries, waiting)
    for (key, letters) in Dictionary(grouping: tries, by: \.to).sorted(by: { $0.key < $1.key }) {
      let asked = Set(letters.filter { !$0.kind.isNotice }.map(\.id))
      // with `conceal`, one claim may cause two mails: first a code, and then, if another claim was proven before, a
      // message to the owner
      let wanted = claims.asks[key, default: 0] * (scenario.admission.conceals ? 2 : 1)
      hold(.messageId, asked.count <= wanted, "\(key) was mailed \(asked.count) Message-IDs for \(wanted) codes")
      if !scenario.faults.hasClockFaults {
        hold(.mailBounds, asked.count <= 12 + 5 * (scenario.users + 1), "\(key) was mailed \(asked.count) codes")
      }
      let codes = letters.filter { $0.kind == .recoveryCode }
      if !codes.isEmpty {
        hold(.recoversAlike, !requests.attempts(for: key).isEmpty, "\(key) has no account, and is mailed a code")
      }
    }
    // shorter codes may be on the disk by chance
    for code in Set(tries.compactMap(\.code)).sorted() where code.utf8.count >= 10 {
      hold(.secrets, !simulated_disk_contains(code, Int32(code.utf8.count)), "the code \(code) is on the disk")
    }
  }

  private func judge(_ claim: KnownClaim, _ tries: [SimulatedMail.Letter], _ waiting: [JSONValue]) {
    let letters = claimChecks.letters(of: claim).reversed()
    for (one, next) in zip(letters, letters.dropFirst())
    where one.wanted < next.wanted && !scenario.faults.hasClockFaults {
      // of two mails with one code, the mail that was requested first may arrive last
      let made = letters.filter { $0.code == one.code }.map(\.wanted).min() ?? one.wanted
      let asked = claim.wanted.first { $0.time == made }?.asked ?? 0
      guard next.came < asked + Int64(scenario.admission.codeSeconds) * 900_000_000 else { continue }
      hold(.resends, one.code == next.code, "\(claim.id) was mailed \(one.code ?? "") and \(next.code ?? "")")
    }
    guard claimChecks.stands(claim), claim.proofs == 0, claim.guesses < scenario.admission.codeAttempts,
      claims.asks[claim.key, default: 0] <= MailBounds.perAddress, !claimChecks.isProvable(claim.key, but: claim)
    else { return }
    for (time, _) in claim.wanted {
      let since = Timestamp(microseconds: time).rfc3339
      let isThere =
        tries.contains { $0.to == claim.key && $0.wanted == time }
        || waiting.contains { $0["to"]?.string?.lowercased() == claim.key && $0["since"]?.string == since }
      hold(.mailKept, isThere, "the mail of \(since) for \(claim.id) neither waits nor was sent")
    }
  }

  /// Checks that each recovery that is known has caused a notice to the owner.
  private func judgeNotices(_ tries: [SimulatedMail.Letter], _ waiting: [JSONValue]) {
    let finished = claims.all.filter { $0.isRecovery && $0.account != nil && !claims.isDoubtful($0) }
    for (key, recoveries) in Dictionary(grouping: finished, by: \.key).sorted(by: { $0.key < $1.key }) {
      let sent = tries.filter { $0.to == key && $0.kind == .passwordChanged }.map(\.id)
      let wait = waiting.filter { $0["to"]?.string?.lowercased() == key && $0["kind"] == "passwordChanged" }
      let told = Set(sent + wait.compactMap { $0["id"]?.string }).count
      hold(.ownerTold, told >= recoveries.count, "\(key): \(recoveries.count) recoveries, \(told) notices")
    }
  }
}
