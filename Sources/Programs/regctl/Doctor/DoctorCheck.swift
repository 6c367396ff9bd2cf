/// A row of the doctor's table: one common mistake, judged by facts alone.
struct DoctorCheck: Sendable {
  let name: String
  /// Judges the facts. Returns nil if there is nothing to judge, for instance no upstream.
  let judge: @Sendable (Facts) -> Finding?

  init(_ name: String, _ judge: @escaping @Sendable (Facts) -> Finding?) { (self.name, self.judge) = (name, judge) }

  /// The checks in the order of the report. The socket comes first, because later checks ask regd through it.
  static let all = [
    DoctorCheck("socket", SocketChecks.socket),
    DoctorCheck("service", SocketChecks.service),
    DoctorCheck("lock", SocketChecks.lock),
    DoctorCheck("groups", AccessChecks.groups),
    DoctorCheck("administration", AccessChecks.administration),
    DoctorCheck("doors", DoorChecks.doors),
    DoctorCheck("configuration", ConfigurationChecks.file),
    DoctorCheck("reload", ConfigurationChecks.reload),
    DoctorCheck("rehearsal", ConfigurationChecks.rehearsal),
    DoctorCheck("approval", ConfigurationChecks.approval),
    DoctorCheck("store", StoreChecks.store),
    DoctorCheck("background", BackgroundChecks.tasks),
    DoctorCheck("audit", AuditChecks.heads),
    DoctorCheck("filesystem", StoreChecks.fileSystem),
    DoctorCheck("disk", StoreChecks.disk),
    DoctorCheck("clock", MachineChecks.clock),
    DoctorCheck("cpu", MachineChecks.processors),
    DoctorCheck("memory", MachineChecks.memory),
    DoctorCheck("descriptors", MachineChecks.descriptors),
    DoctorCheck("mail", MailChecks.mail),
    DoctorCheck("upstream", UpstreamChecks.upstream),
    DoctorCheck("repeats", UpstreamChecks.repeats),
  ]

  static func findings(_ facts: Facts) -> [Finding] {
    all.compactMap { check in
      guard var finding = check.judge(facts) else { return nil }
      finding.name = check.name
      finding.advice = finding.advice.map { naming(facts.socket.path, in: $0) }
      return finding
    }
  }

  /// Adds `--socket` to each regctl command of an advice, because sudo drops REGD_SOCKET_PATH. This is a no-op for the
  /// default socket.
  private static func naming(_ socket: String, in advice: String) -> String {
    guard socket != SocketFacts().path else { return advice }
    return advice.replacing(/regctl [a-z-]+/) { "\($0.output) --socket \(socket)" }
  }
}
