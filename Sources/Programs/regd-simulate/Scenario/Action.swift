/// One action of a run, at its time. Each action has its own random numbers, so that leaving one out changes no other.
struct Action {
  enum Kind: CaseIterable {
    case register, again, otherwise, registerBatch, signIn, wrongSignIn, checkEmail, status, foreignStatus, validate,
      check
    case pings, batch, garbage, sameId, cancel, twins
    case hangUp, halfClose, slow, disable, enable, setPassword, delete, retry
    case kill, killAtDisk, power, powerAtDisk, terminate, diskFault
    case upstream, giveAway, wall, checkpoint
    case prove, resend, recover, finish, unproven, mailCondition, tendMails
    case invite, revoke, approve, refuse, waiting, signOut, changePassword, deleteOwn
    case reload, limits, form
    case addGroups, removeGroups, signInAsMember
    case storeCondition, killAtStore, leave
    case noDescriptor, noMemory
    case readOnly, foreignLock, sleep
  }

  let number: Int
  /// The time since the previous action, in nanoseconds.
  let pause: Int64
  let kind: Kind
  let seed: UInt64

  /// The relative frequency of each kind.
  private static func weight(_ kind: Kind, _ scenario: Scenario) -> Int {
    switch kind {
    case .register: 16
    case .again: scenario.admission.isAsIs ? 8 : 16
    case .signIn, .status, .pings: 5
    case .otherwise, .registerBatch, .wrongSignIn, .checkEmail, .foreignStatus, .check, .batch, .garbage, .sameId,
      .hangUp:
      2
    case .cancel: 4
    case .validate, .twins, .halfClose, .slow, .disable, .enable, .setPassword: 1
    case .delete: scenario.hasErasure ? 4 : 1
    case .kill, .terminate: scenario.faults.hasProcessFaults ? 1 : 0
    case .killAtDisk, .power, .powerAtDisk: scenario.faults.hasProcessFaults && scenario.daemons == 1 ? 1 : 0
    case .killAtStore, .leave: scenario.faults.hasProcessFaults && scenario.daemons > 1 ? 2 : 0
    case .storeCondition: scenario.daemons > 1 ? 5 : 0
    case .diskFault: scenario.faults.hasDiskFaults ? 3 : 0
    case .upstream: scenario.network == .none ? 0 : scenario.admission.isAsIs ? 5 : 12
    case .retry, .giveAway: scenario.network == .none ? 0 : 1
    case .noDescriptor, .noMemory: scenario.faults.hasMachineFaults ? 2 : 0
    case .readOnly: scenario.faults.hasRareFaults && scenario.daemons == 1 ? 1 : 0
    case .foreignLock: scenario.faults.hasRareFaults && scenario.daemons == 1 ? 3 : 0
    case .sleep: scenario.faults.hasRareFaults ? 3 : 0
    case .wall: scenario.faults.hasClockFaults ? 2 : 0
    case .checkpoint: 3
    case .prove: scenario.admission.isVerified ? 24 : 0
    case .resend: scenario.admission.isVerified ? 4 : 0
    case .unproven: scenario.admission.isVerified ? 2 : 0
    case .recover: scenario.admission.hasMail ? 5 : 0
    case .finish: scenario.admission.hasMail ? 14 : 0
    case .mailCondition: scenario.admission.hasMail ? 4 : 0
    case .invite: scenario.admission.isInvited ? 10 : 0
    case .revoke: scenario.admission.isInvited ? 2 : 0
    case .approve: scenario.admission.isApproved ? 8 : 0
    case .refuse: scenario.admission.isApproved ? 2 : 0
    case .waiting: scenario.admission.isApproved ? 3 : 0
    case .signOut, .changePassword: scenario.admission.isAsIs ? 0 : 3
    case .deleteOwn: scenario.admission.isAsIs ? 0 : 1
    case .form: scenario.admission.isAsIs ? 0 : 6
    case .reload: scenario.admission.isReloaded ? 4 : 0
    case .limits: scenario.admission.isReloaded ? 2 : 0
    case .addGroups, .removeGroups: scenario.hasGroups ? 6 : 0
    case .signInAsMember: scenario.hasGroups ? 12 : 0
    case .tendMails: scenario.admission.hasMail ? 1 : 0
    }
  }

  /// - Parameter minutes: The simulated time that the actions fill, or nil for the number of actions that the
  ///   scenario has.
  static func plan(seed: UInt64, _ scenario: Scenario, minutes: Int?) -> [Action] {
    var chance = Chance(seed: seed, purpose: 4)
    let kinds = Kind.allCases.flatMap { [Kind](repeating: $0, count: weight($0, scenario)) }
    var actions: [Action] = []
    var time: Int64 = 0
    while minutes.map({ time < Int64($0) * 60_000_000_000 }) ?? (actions.count < scenario.actions) {
      let pause: Int64 =
        switch chance.below(20) {
        case 0: Int64(chance.below(30_000)) * 1_000_000
        case 1...4: Int64(chance.below(500)) * 1_000_000
        case 5...10: Int64(chance.below(20_000)) * 1000
        default: Int64(chance.below(300)) * 1000
        }
      time += pause
      actions.append(Action(number: actions.count, pause: pause, kind: chance.one(of: kinds), seed: chance.next()))
    }
    return actions
  }
}

extension Action {
  /// Whether the action can be played even if no regd answers.
  var isOfProcess: Bool {
    switch kind {
    case .kill, .killAtDisk, .power, .powerAtDisk, .upstream, .giveAway, .wall, .mailCondition: true
    case .storeCondition, .killAtStore, .leave, .noDescriptor, .foreignLock, .sleep: true
    default: false
    }
  }
}
