/// The workloads of a run, by area.
struct Workloads {
  private let registrations: RegistrationWorkload
  private let signIns: SignInWorkload
  private let lookups: LookupWorkload
  private let wire: ProtocolWorkload
  private let connections: ConnectionWorkload
  private let administration: AdministrationWorkload
  private let claims: ClaimWorkload
  private let admission: AdmissionWorkload
  private let owners: OwnerWorkload
  private let reloads: ReloadWorkload
  private let forms: FormWorkload
  private let groups: GroupWorkload
  private let faults: FaultWorkload

  init(seed: UInt64, _ cluster: Cluster) {
    let callers = cluster.callers
    registrations = RegistrationWorkload(callers)
    signIns = SignInWorkload(callers)
    lookups = LookupWorkload(callers)
    wire = ProtocolWorkload(callers, seed: seed)
    connections = ConnectionWorkload(callers)
    administration = AdministrationWorkload(callers)
    claims = ClaimWorkload(callers)
    admission = AdmissionWorkload(callers)
    owners = OwnerWorkload(callers)
    reloads = ReloadWorkload(callers)
    forms = FormWorkload(callers)
    groups = GroupWorkload(signIns)
    faults = FaultWorkload(cluster)
  }

  /// The workload that plays actions of a kind, or nil for a checkpoint, which begins a quiet phase.
  func workload(of kind: Action.Kind) -> (any Workload)? {
    switch kind {
    case .register, .again, .otherwise, .registerBatch: registrations
    case .signIn, .wrongSignIn, .check: signIns
    case .checkEmail, .status, .foreignStatus, .validate: lookups
    case .pings, .batch, .garbage, .sameId, .cancel, .twins: wire
    case .hangUp, .halfClose, .slow: connections
    case .disable, .enable, .setPassword, .delete, .retry: administration
    case .prove, .resend, .recover, .finish, .unproven, .tendMails: claims
    case .invite, .revoke, .approve, .refuse, .waiting: admission
    case .signOut, .changePassword, .deleteOwn: owners
    case .reload, .limits: reloads
    case .form: forms
    case .addGroups, .removeGroups, .signInAsMember: groups
    case .kill, .killAtDisk, .power, .powerAtDisk, .terminate, .diskFault, .readOnly, .foreignLock: faults
    case .upstream, .giveAway, .wall, .mailCondition, .storeCondition, .killAtStore, .leave: faults
    case .noDescriptor, .noMemory, .sleep: faults
    case .checkpoint: nil
    }
  }
}
