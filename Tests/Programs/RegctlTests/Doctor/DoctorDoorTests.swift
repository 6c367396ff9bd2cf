import Localization
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@testable import regctl

/// The check of doors with given facts, and doors of a running regd.
@Suite("The doctor's check of doors", .blocking, .timeLimit(.minutes(10)))
struct DoctorDoorTests {
  /// A healthy door for Postfix.
  static var door: DoorFacts {
    var door = DoorFacts(name: "mail", wire: "dovecot", address: "/var/spool/postfix/private/regd")
    door.file = .socket(owner: 990, group: 120, permissions: 0o660)
    door.way = [
      .init(path: "/"), .init(path: "/var/spool/postfix"),
      .init(path: "/var/spool/postfix/private", owner: 110, permissions: 0o700, owners: "postfix:root"),
      .init(path: door.address, owner: 990, group: 120, permissions: 0o660, owners: "regd:postfix"),
    ]
    door.callers = [.init(name: "postfix", id: 110, groups: [120])]
    door.hasPeers = true
    door.chroot = "/var/spool/postfix"
    return door
  }

  private func expect(
    _ verdict: Finding.Verdict, _ evidence: String, type advice: String = "",
    _ location: SourceLocation = #_sourceLocation, _ change: (inout DoorFacts) -> Void
  ) {
    DoctorCheckTests().expect("doors", verdict, evidence, type: advice, location) { change(&$0.doors[0]) }
  }

  @Test("the check finds a door that is missing, not a socket, silent, broken or closed to this user")
  func answers() {
    expect(.ok, "1 door answers: mail (dovecot)") { _ in }
    expect(.problem, "/var/spool/postfix/private/regd does not exist", type: "systemctl restart") { $0.file = .missing }
    expect(.problem, "is not a socket", type: "mv /var/spool") { $0.file = .other(.regularFile) }
    expect(.problem, "no process listens at", type: "systemctl restart") { $0.answer = .refused }
    expect(.problem, "does not answer as dovecot requires", type: "journalctl") { $0.answer = .silent }
    expect(.problem, "private/regd: Broken", type: "journalctl") { $0.answer = .failed("Broken") }
    expect(.unknown, "alice may not connect", type: "sudo regctl doctor") { $0.answer = .denied }
    let check = DoctorCheckTests()
    #expect(check.finding("doors") { $0.doors = [] } == nil)
    #expect(check.finding("doors") { $0.daemon.info = .none("late") } == nil)
  }

  @Test("the check names a socket from systemd that has no door, also if there are no doors at all")
  func held() {
    for hasDoors in [true, false] {
      DoctorCheckTests().expect(
        "doors", .warning, "socket imap at /run/imap: no door is configured for this socket", type: "editor",
        #_sourceLocation
      ) {
        if !hasDoors { $0.doors = [] }
        $0.daemon.status = .result(["heldSockets": .array([["name": "imap", "address": "/run/imap"]])])
      }
    }
  }

  @Test("the check finds peers that the socket or a directory above it excludes, and accepts access by owner or group")
  func peers() {
    expect(.problem, "the peer postfix may not write to", type: "doors.mail.group") {
      $0.callers[0].groups = []
    }
    expect(.problem, "(mode 0600, owned by regd:postfix)") { $0.way[3].permissions = 0o600 }
    expect(.problem, "may not enter /var/spool/postfix/private (mode 0700, owned by postfix:root)", type: "chmod o+x") {
      $0.callers.append(.init(name: "mail", groups: [120]))
    }
    expect(.ok, "answers") { $0.callers = [DoorFacts.Caller(name: "root", id: 0)] }
    expect(.ok, "answers") { $0.way[3].permissions = 0o666 }
    // the owner's bits apply to the owner, independently of the group's bits
    expect(.problem, "may not write to") {
      $0.way[3].owner = 110
      $0.way[3].permissions = 0o460
    }
  }

  @Test("the check warns of a peer that access.deny names by user or group")
  func deniedPeers() {
    let keepsOut = "door mail: access.deny does not allow the peer postfix to connect"
    expect(.warning, keepsOut, type: "# access.deny; then regctl reload") {
      $0.deniedPeers = $0.callers
    }
    let postfix = DoorFacts.Caller(name: "postfix", id: 110, groups: [120])
    #expect(DoorFacts.Caller(name: "", id: 110).includes(postfix))
    #expect(!DoorFacts.Caller(name: "", id: 111, groups: [120]).includes(postfix))
    #expect(DoorFacts.Caller(name: "mail", groups: [120]).includes(postfix))
    #expect(!DoorFacts.Caller(name: "mail", groups: [121]).includes(postfix))
  }

  @Test("without peers, the check warns if only root can use the socket, and one user with access suffices")
  func nobodyNamed() {
    expect(.warning, "only root and regd may write to", type: "doors.mail.mode") {
      $0.hasPeers = false
      $0.callers = [DoorFacts.Caller(name: "")]
      $0.way[3].permissions = 0o600
      $0.way[2].permissions = 0o755
    }
    expect(.warning, "only root and regd may enter /var/spool/postfix/private", type: "chmod o+x") {
      $0.hasPeers = false
      $0.callers = [DoorFacts.Caller(name: "", groups: [120]), DoorFacts.Caller(name: "")]
    }
    expect(.ok, "answers") {
      $0.hasPeers = false
      $0.callers.append(DoorFacts.Caller(name: ""))
    }
  }

  @Test("the check finds a socket outside Postfix's chroot, and reports all doors, the worst one first")
  func chroot() {
    expect(.problem, "sees only its chroot /var/spool/postfix, which does not contain /run/regd/mail") {
      $0.address = "/run/regd/mail"
      $0.way = [.init(path: "/run/regd/mail", group: 120, permissions: 0o660)]
    }
    let found = DoctorCheckTests().finding("doors") {
      $0.doors.append(Self.door)
      $0.doors.append(
        DoorFacts(name: "web", wire: "http", address: "127.0.0.1:81", answer: .refused))
      $0.doors[0].answer = .denied
    }
    #expect(found?.verdict == .problem)
    #expect(
      found?.evidence.hasPrefix("door web: no process listens at 127.0.0.1:81; door mail: not checked, because alice ")
        == true)
  }

  @Test("each door is asked in its protocol, status has a line for each door, and a removed socket is found")
  func running() throws {
    let wires = ["dovecot", "saslauthd", "http", "ldap", "socketmap", "jsonrpc"]
    try TemporaryDirectory.with { directory in
      let doors = wires.map {
        "  \($0): {protocol: \($0), path: \(directory)/\($0), mode: \"0666\", domain: example.org}"
      }
      let file = "\(directory)/regd.yaml"
      try TextFile.write("doors:\n\(doors.joined(separator: "\n"))\n", to: file)
      try Shell.check([("chmod 711 \(directory)", 0, "")], "")
      try withRegd(configuration: file) { regd in
        for wire in wires {
          let line =
            "door \(wire): \(wire) on \(directory)/\(wire), connections: 0; logins: 0 accepted, 0 incorrect password,"
          try Shell.check([("$regctl status", 0, line)], regd.socket)
        }
        let (_, well) = try Shell.run("$regctl doctor --json", regd.socket)
        #expect(well.contains("6 doors answer: "), "\(well)")
        try Shell.check([("rm \(directory)/ldap", 0, "")], regd.socket)
        let (status, gone) = try Shell.run("$regctl doctor --json", regd.socket)
        #expect(status == 1 && gone.contains("door ldap: \(directory)/ldap does not exist"), "\(gone)")
      }
    }
  }
}
