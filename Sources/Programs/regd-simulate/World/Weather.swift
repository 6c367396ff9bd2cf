/// The plan of a whole run, decided by its seed.
struct Weather {
  enum Network { case none, required, `defer` }

  let network: Network
  let loops: Int
  let hasProcessFaults: Bool
  let hasDiskFaults: Bool
  let hasClockFaults: Bool
  let slowLine: String
  let actions: Int
  let users: Int
  let addresses: Int
  let house: House

  static let requestSeconds = 10
  static let graceSeconds = 5
  static let outboxSeconds = 20
  static let disbeliefSeconds = 60

  init(seed: UInt64) {
    var chance = Chance(seed: seed, purpose: 2)
    network = chance.one(of: [.none, .required, .required, .defer, .defer])
    loops = chance.within(1...2)
    hasProcessFaults = !chance.once(in: 4)
    hasDiskFaults = chance.once(in: 4)
    hasClockFaults = chance.once(in: 8)
    slowLine = chance.once(in: 6) ? chance.one(of: ["regd-sqlite", "regd-sqlite-r", "regd-hash", "regd-texts"]) : ""
    actions = chance.within(40...110)
    users = chance.within(1...3)
    addresses = chance.within(2...5)
    house = House(seed: seed, hasUpstream: network != .none)
  }

  var configuration: String { configuration(Doorway()) }

  func configuration(_ doorway: Doorway) -> String {
    let chosen =
      switch network {
      case .none: "{backend: none"
      case .required: "{backend: simulated, whenUnreachable: refuse"
      case .defer: "{backend: simulated, whenUnreachable: defer"
      }
    return """
      socket: {path: /run/s, group: "", loops: \(loops)}
      access: {admin: {root: true, groups: []}}
      limits: {requestSeconds: \(Self.requestSeconds)\(house.isReloaded ? ", depth: \(doorway.depth)" : "")}
      hashing: {workers: 2}
      signIn: {throttle: false}
      shutdown: {graceSeconds: \(Self.graceSeconds)}
      store: {sqlite: {lockSeconds: 2}}
      \(house.configuration(isClosed: doorway.isClosed))
      network: \(chosen), breaker: {maximumSeconds: 5}, outbox: {firstSeconds: 1, maximumSeconds: \(Self.outboxSeconds), disbeliefSeconds: \(Self.disbeliefSeconds)}}
      """
  }
}

/// One action of the world, at its time; each has its own random numbers, so that leaving one out changes no other.
struct Action {
  enum Kind: CaseIterable {
    case register, again, otherwise, registerBatch, signIn, wrongSignIn, checkEmail, status, foreignStatus, validate,
      check
    case pings, batch, garbage, sameId, cancel, twins
    case hangUp, halfClose, slow, disable, enable, setPassword, delete, retry
    case kill, killAtDisk, power, powerAtDisk, terminate, diskFault
    case upstream, giveAway, wall, checkpoint
    case prove, resend, recover, finish, unproven, mailMood, tendMails
    case invite, revoke, approve, refuse, waiting, signOut, changePassword, deleteOwn
    case reload, limits, form
  }

  let number: Int
  /// The time since the previous action, in nanoseconds.
  let pause: Int64
  let kind: Kind
  let seed: UInt64

  /// The relative frequency of each kind.
  private static func weight(_ kind: Kind, _ weather: Weather) -> Int {
    switch kind {
    case .register: 16
    case .again: weather.house.isAsIs ? 8 : 16
    case .signIn, .status, .pings: 5
    case .otherwise, .registerBatch, .wrongSignIn, .checkEmail, .foreignStatus, .check, .batch, .garbage, .sameId,
      .hangUp:
      2
    case .cancel: 4
    case .validate, .twins, .halfClose, .slow, .disable, .enable, .setPassword, .delete: 1
    case .kill, .killAtDisk, .power, .powerAtDisk, .terminate: weather.hasProcessFaults ? 1 : 0
    case .diskFault: weather.hasDiskFaults ? 3 : 0
    case .upstream: weather.network == .none ? 0 : weather.house.isAsIs ? 5 : 12
    case .retry, .giveAway: weather.network == .none ? 0 : 1
    case .wall: weather.hasClockFaults ? 2 : 0
    case .checkpoint: 3
    case .prove: weather.house.isVerified ? 24 : 0
    case .resend: weather.house.isVerified ? 4 : 0
    case .unproven: weather.house.isVerified ? 2 : 0
    case .recover: weather.house.hasMail ? 5 : 0
    case .finish: weather.house.hasMail ? 14 : 0
    case .mailMood: weather.house.hasMail ? 4 : 0
    case .invite: weather.house.isInvited ? 10 : 0
    case .revoke: weather.house.isInvited ? 2 : 0
    case .approve: weather.house.isApproved ? 8 : 0
    case .refuse: weather.house.isApproved ? 2 : 0
    case .waiting: weather.house.isApproved ? 3 : 0
    case .signOut, .changePassword: weather.house.isAsIs ? 0 : 3
    case .deleteOwn: weather.house.isAsIs ? 0 : 1
    case .form: weather.house.isAsIs ? 0 : 6
    case .reload: weather.house.isReloaded ? 4 : 0
    case .limits: weather.house.isReloaded ? 2 : 0
    case .tendMails: weather.house.hasMail ? 1 : 0
    }
  }

  static func plan(seed: UInt64, _ weather: Weather) -> [Action] {
    var chance = Chance(seed: seed, purpose: 4)
    let kinds = Kind.allCases.flatMap { [Kind](repeating: $0, count: weight($0, weather)) }
    return (0..<weather.actions).map { number in
      let pause: Int64 =
        switch chance.below(20) {
        case 0: Int64(chance.below(30_000)) * 1_000_000
        case 1...4: Int64(chance.below(500)) * 1_000_000
        case 5...10: Int64(chance.below(20_000)) * 1000
        default: Int64(chance.below(300)) * 1000
        }
      return Action(number: number, pause: pause, kind: chance.one(of: kinds), seed: chance.next())
    }
  }
}
