/// What a run has, decided by its seed: regd's configuration, the people who use it, and the faults.
struct Scenario {
  enum Network { case none, required, `defer` }

  let network: Network
  let loops: Int
  /// Whether administrators change the groups of accounts, and sign-ins require a group.
  let hasGroups: Bool
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
      network: \(chosen), breaker: {maximumSeconds: 5}, outbox: {firstSeconds: 1, maximumSeconds: \(terms.outboxSeconds), disbeliefSeconds: \(Self.disbeliefSeconds)}}
      """
  }
}
