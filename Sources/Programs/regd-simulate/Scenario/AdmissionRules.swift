/// The part of a run's configuration that decides who may register, and how addresses are proven. The seed chooses it.
struct AdmissionRules {
  /// Whether the rules are the shipped ones: registration is open, and no address has to be proven. In this case,
  /// owners also change nothing in their accounts.
  let isAsIs: Bool
  let hasMail: Bool
  let isVerified: Bool
  let conceals: Bool
  let codeDigits: Int
  let codeAttempts: Int
  let codeSeconds: Int
  let claimSeconds: Int
  let resendSeconds: Int
  /// Whether only invited people may register.
  let isInvited: Bool
  /// Whether the configuration changes during the run.
  let isReloaded: Bool
  /// Whether an administrator has to approve new accounts.
  let isApproved: Bool
  /// Whether accounts that used an invitation are exempt from that approval.
  let exemptsInvited: Bool

  static let mailSeconds = 10

  /// Whether every seed has the shipped rules, as it does if several regd processes share a store, or with an
  /// operator's configuration.
  static func isPlain(daemons: Int, _ own: OwnConfiguration?) -> Bool { daemons > 1 || own != nil }

  init(seed: UInt64, hasUpstream: Bool, isPlain: Bool) {
    // a purpose with which the seeds in older tests, written before the simulator had mails, still play without mails
    var chance = Chance(seed: seed, purpose: 2582)
    let kind = isPlain ? 0 : chance.below(6)
    isAsIs = kind < 2
    (hasMail, isVerified) = (kind > 1, kind > 2)
    conceals = isVerified && chance.once(in: 3)
    codeDigits = chance.one(of: [6, 10])
    codeAttempts = chance.within(2...4)
    codeSeconds = chance.one(of: [15, 60, 900])
    claimSeconds = chance.one(of: [40, 300, 86_400])
    resendSeconds = chance.one(of: [1, 5])
    isInvited = !isAsIs && chance.once(in: 3)
    isReloaded = !isAsIs && chance.once(in: 2)
    isApproved = !isAsIs && !hasUpstream && chance.once(in: 2)
    exemptsInvited = isApproved && chance.once(in: 2)
  }

  /// The configuration's sections `mail` and `registration`.
  func configuration(isClosed: Bool) -> String {
    guard hasMail else { return "mail: {backend: none}" }
    let mode = isClosed ? "closed" : isInvited ? "invited" : "open"
    let approval = exemptsInvited ? "uninvited" : isApproved ? "administrator" : "none"
    return """
      mail: {backend: simulated, from: regd@example.net, queue: {firstSeconds: 1, maximumSeconds: \(Self.mailSeconds)}}
      registration: {verification: \(isVerified ? "required" : "none"), conceal: \(conceals), claimSeconds: \(claimSeconds), codeSeconds: \(codeSeconds), codeDigits: \(codeDigits), codeAttempts: \(codeAttempts), resendSeconds: \(resendSeconds), mode: \(mode), approval: \(approval)}
      """
  }
}
