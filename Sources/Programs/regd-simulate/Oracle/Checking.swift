/// A part of the simulation that uses the oracle's knowledge, and checks regd against it.
protocol Checking {
  var oracle: Oracle { get }
}

extension Checking {
  var scenario: Scenario { oracle.scenario }
  var tally: Tally { oracle.tally }
  var requests: RequestLog { oracle.requests }
  var claims: ClaimLog { oracle.claims }
  var invitations: InvitationLog { oracle.invitations }
  var doorway: Doorway { oracle.doorway }
  var faultLog: FaultLog { oracle.faultLog }
  var upstream: SimulatedUpstream { oracle.backends.upstream }
  var mails: SimulatedMail { oracle.backends.mails }
  var asks: AsksInFlight { oracle.backends.asks }
  var rows: SharedRows? { oracle.backends.rows }

  var registrationChecks: RegistrationChecks { RegistrationChecks(oracle: oracle) }
  var claimChecks: ClaimChecks { ClaimChecks(oracle: oracle) }
  var admissionChecks: AdmissionChecks { AdmissionChecks(oracle: oracle) }
  var mailChecks: MailChecks { MailChecks(oracle: oracle) }
  var storeChecks: StoreChecks { StoreChecks(oracle: oracle) }
  var auditChecks: AuditChecks { AuditChecks(oracle: oracle) }
  var erasureChecks: ErasureChecks { ErasureChecks(oracle: oracle) }

  func hold(_ promise: Promise, _ isKept: Bool, _ detail: @autoclosure () -> String) {
    oracle.hold(promise, isKept, detail())
  }
  func isNoise(_ reason: String?) -> Bool { oracle.isNoise(reason) }
  func mayHaveFailed(at daemon: Int, since time: Int64) -> Bool { oracle.mayHaveFailed(at: daemon, since: time) }
  func hasRival(_ known: KnownAccount) -> Bool { oracle.hasRival(known) }
  func holder(_ key: String) -> String? { oracle.holder(key) }
  func invitation(of code: String?) -> KnownInvitation? { invitations.find(code: code) }
}
