/// What a run has, decided by its seed: regd's configuration, the people who use it, and the faults.
struct Scenario {
  enum Network { case none, required, `defer` }

  let network: Network
  let loops: Int
  /// Whether administrators change the groups of accounts, and sign-ins require a group.
  let hasGroups: Bool
  /// Whether the audit erases the addresses of removed accounts at the next sweep, and the run ends with a search of the
  /// disk for erased addresses.
  let hasErasure: Bool
  let actions: Int
  let users: Int
  let addresses: Int
  let admission: AdmissionRules
  let faults: FaultPlan
  let terms: Terms
  /// How many regd processes share a store. A single regd has SQLite.
  let daemons: Int
  /// The operator's configuration, or nil if the seed decides the configuration.
  let own: OwnConfiguration?

  private static let disbeliefSeconds = 60

  init(seed: UInt64, own: OwnConfiguration? = nil, daemons: Int = 1) {
    (self.own, self.daemons) = (own, daemons)
    terms = own?.terms ?? Terms()
    var chance = Chance(seed: seed, purpose: 2)
    let network = chance.one(of: [Network.none, .required, .required, .defer, .defer])
    self.network = own?.network ?? network
    loops = chance.within(1...2)
    var faults = FaultPlan(seed: seed, daemons: daemons, &chance)
    actions = chance.within(40...110)
    users = chance.within(1...3)
    addresses = chance.within(2...5)
    // a purpose with which the seeds in older tests, written before there were groups, still play without groups
    var grouping = Chance(seed: seed, purpose: 6775)
    hasGroups = grouping.once(in: 3)
    // a purpose with which the seeds in older tests still play without erasure
    var erasing = Chance(seed: seed, purpose: 15_750)
    hasErasure = erasing.once(in: 4) && !AdmissionRules.isPlain(daemons: daemons, own)
    faults.skewClocks(of: daemons, &chance)
    self.faults = faults
    admission = AdmissionRules(
      seed: seed, hasUpstream: self.network != .none, isPlain: AdmissionRules.isPlain(daemons: daemons, own))
  }

  /// Command-line options that override an operator's configuration. The number of loops is among them, because
  /// otherwise the machine decides it.
  var arguments: [String] { own.map { $0.replaced + ["--socket-loops=\(loops)"] } ?? [] }

  /// The text of the configuration file.
  var configuration: String { configuration(Doorway()) }

  func configuration(_ doorway: Doorway) -> String {
    if let own { return own.text }
    let chosen =
      switch network {
      case .none: "{backend: none"
      case .required: "{backend: simulated, whenUnreachable: refuse"
      case .defer: "{backend: simulated, whenUnreachable: defer"
      }
    return """
      socket: {path: /run/s, group: "", loops: \(loops)}
      access: {admin: {root: true, groups: []}}
      limits: {requestSeconds: \(terms.requestSeconds)\(admission.isReloaded ? ", depth: \(doorway.depth)" : "")}
      hashing: {workers: 2}
      signIn: {throttle: false}
      shutdown: {graceSeconds: \(terms.graceSeconds)}
      store: {sqlite: {lockSeconds: 2}}
      \(admission.configuration(isClosed: doorway.isClosed))
      network: \(chosen), breaker: {maximumSeconds: 5}, outbox: {firstSeconds: 1, maximumSeconds: \(terms.outboxSeconds), disbeliefSeconds: \(Self.disbeliefSeconds)}}\(hasErasure ? "\naudit: {addressDays: 0}" : "")
      """
  }
}

/// Which faults a run has, decided by its seed. Their times are the times of the run's actions.
struct FaultPlan {
  let hasProcessFaults: Bool
  let hasDiskFaults: Bool
  let hasClockFaults: Bool
  let hasMachineFaults: Bool
  /// Whether there are rare faults: a disk that is read-only for a while, a database that another program has locked, a
  /// machine that sleeps.
  let hasRareFaults: Bool
  /// The name of a line of work that is slow, or empty if no line is slow.
  let slowLine: String
  /// How far the clock of each regd is ahead.
  private(set) var skews: [Duration] = []

  /// - Parameter chance: The random numbers of the scenario. Their order decides what a seed means.
  init(seed: UInt64, daemons: Int, _ chance: inout Chance) {
    hasProcessFaults = !chance.once(in: 4)
    let hasDiskFaults = chance.once(in: 4)
    self.hasDiskFaults = hasDiskFaults && daemons == 1
    let hasClockFaults = chance.once(in: 8)
    slowLine = chance.once(in: 6) ? chance.one(of: ["regd-sqlite", "regd-sqlite-r", "regd-hash", "regd-texts"]) : ""
    // both purposes are chosen so that the seeds in older tests, written before there were such faults, still play the
    // same
    var machine = Chance(seed: seed, purpose: 21)
    hasMachineFaults = machine.once(in: 4)
    var rare = Chance(seed: seed, purpose: 22)
    hasRareFaults = rare.once(in: 4)
    self.hasClockFaults = hasClockFaults || hasRareFaults
  }

  /// Decides how far the clocks of the regd processes differ. The first clock is right.
  mutating func skewClocks(of daemons: Int, _ chance: inout Chance) {
    skews = (0..<daemons).map { $0 > 0 && chance.once(in: 2) ? .seconds(chance.within(-5...5)) : .zero }
  }
}

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
