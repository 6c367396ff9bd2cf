import ConfigurationFile
import Linux
import Localization
import RegdClient
import TestDoubles
import Testing

@testable import regctl

/// Each check with given facts, for machines that no test can provide.
@Suite("The doctor's checks")
struct DoctorCheckTests {
  /// The facts of a healthy regd on a healthy machine.
  static var well: Facts {
    var facts = Facts()
    facts.socket.file = .socket(owner: 990, group: 990, permissions: 0o660)
    facts.socket.connection = .accepted
    facts.socket.lock = .init(owner: 990, directoryOwner: 990, content: "12\n", holderRuns: true)
    facts.user = UserFacts(
      id: 1000, name: "alice", groups: [1000, 990], groupsToBe: [1000, 990], groupNames: [990: "regd"],
      regdGroups: ["regd": 990, "regd-admin": 991])
    facts.daemon.pid = 12
    facts.daemon.info = .result([
      "version": "1", "store": ["backend": "sqlite"], "network": ["backend": "none"],
      "limits": ["connections": .number("4096")],
    ])
    facts.daemon.status = .result([
      "store": ["path": "/var/lib/regd/regd.db"], "network": ["backend": "none"],
      "hashing": ["workers": .number("4")], "mail": ["backend": "smtp"],
    ])
    facts.daemon.dryRun = .result(["changed": .array([])])
    facts.daemon.unitState = ["ActiveState": "active", "LoadState": "loaded", "NRestarts": "0"]
    facts.daemon.descriptorLimit = 65_536
    facts.configuration.check = .good
    facts.doors = [DoctorDoorTests.door]
    facts.places = [
      PlaceFacts(room: .init(freeBytes: 1 << 34, totalBytes: 1 << 36, freeFiles: 1 << 20), newest: 1_000_000)
    ]
    facts.machine = MachineFacts(
      now: 1_000_010, programBuilt: 900_000, isClockSynchronized: true, memoryTotalKiB: 1 << 22,
      memoryAvailableKiB: 1 << 21)
    facts.upstream = UpstreamFacts(
      baseURL: "https://up.example:8443/v1", attempt: .answered(milliseconds: 3), repeated: .ids("a", "a"))
    return facts
  }

  func finding(_ name: String, _ change: (inout Facts) -> Void) -> Finding? {
    var facts = Self.well
    change(&facts)
    return DoctorCheck.findings(facts).first { $0.name == name }
  }

  @Test("if a mail system fails or refuses every mail, the check quotes it and gives matching advice")
  func mails() {
    func status(_ failure: JSONValue?) -> (inout Facts) -> Void {
      { facts in
        var mail: [JSONValue.Member] = [
          .init("backend", "smtp"), .init("since", "2026-11-28T19:00:00Z"), .init("waiting", .number("2")),
        ]
        if let failure { mail.append(.init("failure", failure)) }
        facts.daemon.status = .result(["mail": .object(mail)])
      }
    }
    let none = finding("mail") { $0.daemon.status = .result(["mail": ["backend": "none"]]) }
    #expect(none == nil, "there is no mail system")
    #expect(finding("mail", status(nil))?.verdict == .ok)
    let refused = "refused: 504 5.5.2 Helo command rejected"
    expect("mail", .problem, refused, type: "mail.smtp.helo") { status(.string(refused))(&$0) }
    expect("mail", .problem, "deferred: 451 later", type: "regctl call mail.list") {
      status("deferred: 451 later")(&$0)
    }
  }

  /// Expects a check to find a problem, with this evidence and a command to type.
  func expect(
    _ name: String, _ verdict: Finding.Verdict, _ evidence: String, type advice: String = "",
    _ location: SourceLocation = #_sourceLocation, _ change: (inout Facts) -> Void
  ) {
    let found = finding(name, change)
    #expect(found?.verdict == verdict, "\(String(describing: found))", sourceLocation: location)
    #expect(found?.evidence.contains(evidence) == true, "\(String(describing: found))", sourceLocation: location)
    #expect(found?.advice?.contains(advice) ?? advice.isEmpty, "\(String(describing: found))", sourceLocation: location)
  }

  @Test("on a healthy machine, each check reports ok and gives no advice")
  func well() {
    let findings = DoctorCheck.findings(Self.well)
    #expect(Set(findings.map(\.name)) == Set(DoctorCheck.all.map(\.name)).subtracting(["rehearsal", "approval"]))
    for finding in findings { #expect(finding.verdict == .ok && finding.advice == nil, "\(finding)") }
    #expect(DoctorReport(findings).text(colour: false, width: 80).hasSuffix("\nno problems found"))
  }

  @Test("the socket check finds a missing, hidden, wrong, dead, forbidden or silent socket")
  func socket() {
    expect("socket", .problem, "/run/regd/regd.sock does not exist", type: "systemctl start regd.service") {
      $0.socket.file = .missing
      $0.socket.connection = .failed("No such file or directory")
    }
    expect("socket", .problem, "alice may not enter /run/regd", type: "sudo regctl doctor") {
      $0.socket.file = .hidden(directory: "/run/regd")
      $0.socket.connection = .denied
    }
    expect("socket", .problem, "is a regular file, not a socket", type: "mv /run/regd/regd.sock") {
      $0.socket.file = .other(.regularFile)
      $0.socket.connection = .refused
    }
    expect("socket", .problem, "no process listens", type: "systemctl restart regd.service") {
      $0.socket.connection = .refused
    }
    expect("socket", .problem, "mode 0660 and group regd; alice is not a member", type: "sudo usermod -aG regd alice") {
      $0.socket.connection = .denied
      $0.user.groups = [1000]
      $0.user.groupsToBe = [1000]
    }
    expect("socket", .problem, "was not when this session began", type: "newgrp regd") {
      $0.socket.connection = .denied
      $0.user.groups = [1000]
    }
    expect("socket", .problem, "only root may connect", type: "socket.group: regd") {
      $0.socket.connection = .denied
      $0.socket.file = .socket(owner: 0, group: 0, permissions: 0o660)
    }
    expect("socket", .problem, "its group may not connect", type: "/etc/regd/regd.yaml") {
      $0.socket.connection = .denied
      $0.socket.file = .socket(owner: 990, group: 990, permissions: 0o600)
    }
    expect("socket", .problem, "does not answer: no answer within 10 seconds", type: "systemctl restart") {
      $0.daemon.info = .none("no answer within 10 seconds")
    }
    expect("socket", .problem, "too many", type: "journalctl") {
      $0.daemon.info = .refused(code: -32009, message: "too many")
    }
    expect("socket", .problem, "may not connect", type: "# access.deny; then sudo regctl reload") {
      $0.daemon.info = .refused(code: -32001, message: "alice may not connect")
    }
    expect("socket", .problem, "backlog", type: "systemctl status") {
      $0.socket.connection = .failed("its backlog is full")
    }
  }

  @Test("the service check finds a failed, restarted or inactive unit, and is absent if systemd does not know the unit")
  func service() {
    expect("service", .problem, "has failed (exit-code)", type: "systemctl reset-failed regd.service") {
      $0.daemon.unitState = ["ActiveState": "failed", "Result": "exit-code"]
    }
    expect("service", .warning, "restarted 3 times") { $0.daemon.unitState["NRestarts"] = "3" }
    expect("service", .unknown, "is inactive") { $0.daemon.unitState["ActiveState"] = "inactive" }
    #expect(finding("service") { $0.daemon.unitState["LoadState"] = "not-found" } == nil)
    #expect(finding("service") { $0.daemon.unitState = [:] } == nil)
  }

  @Test("the lock check finds a wrong kind, name, owner or content of the lock file, and accepts a dead holder")
  func lock() {
    expect("lock", .problem, "is not a regular file", type: "mv /run/regd/regd.sock.lock") {
      $0.socket.lock?.isRegular = false
    }
    expect("lock", .problem, "has more than one hard link") { $0.socket.lock?.links = 2 }
    expect("lock", .problem, "belongs to uid 1000, but its directory belongs to uid 990") {
      $0.socket.lock?.owner = 1000
      $0.socket.connection = .refused
    }
    for content in ["abc", "12 ", "1234567890123456", "12\n3"] {
      expect("lock", .problem, "something other than a process id") { $0.socket.lock?.content = content }
    }
    expect("lock", .unknown, "alice may not read") {
      $0.socket.lock?.content = nil
      $0.socket.connection = .denied
    }
    expect("lock", .ok, "a regd is listening on the socket next to") { $0.socket.lock?.content = nil }
    expect("lock", .ok, "regd that has ended") { $0.socket.lock?.holderRuns = false }
    #expect(finding("lock") { $0.socket.lock = nil } == nil)
  }

  @Test("the access checks find groups that the session lacks, and users who may not administer regd")
  func access() {
    expect("groups", .warning, "alice is in regd-admin now, but was not when", type: "newgrp regd-admin") {
      $0.user.groupsToBe.insert(991)
    }
    expect("groups", .ok, "is not in any of regd's groups") {
      $0.user.groups = [1000]
      $0.user.groupsToBe = [1000]
    }
    #expect(finding("groups") { $0.user.id = 0 } == nil)
    expect("administration", .unknown, "not an administrator", type: "usermod -aG regd-admin alice") {
      $0.daemon.status = .refused(code: -32001, message: "for administrators")
    }
    let noGroup = finding("administration") {
      $0.daemon.status = .refused(code: -32001, message: "for administrators")
      $0.user.regdGroups["regd-admin"] = nil
    }
    #expect(noGroup?.advice == "sudo regctl doctor", "no user can be added to a group that does not exist")
    expect("administration", .problem, "busy") { $0.daemon.status = .refused(code: -32009, message: "busy") }
    #expect(
      finding("administration") {
        $0.daemon.info = .none("")
        $0.daemon.status = .none("")
      } == nil)
  }

  @Test(
    "a missing status is reported, and the checks that need it report that they are unknown",
    arguments: ["store", "memory"])
  func statusWithoutAnswer(_ check: String) {
    expect("administration", .problem, "daemon.status: late") { $0.daemon.status = .none("late") }
    for answer in [DaemonFacts.Answer.none("too large"), .refused(code: -32008, message: "too large")] {
      expect(check, .unknown, "daemon.status: too large") { $0.daemon.status = answer }
    }
    #expect(finding(check) { $0.daemon.status = .refused(code: -32001, message: "for administrators") } == nil)
  }

  @Test("the configuration checks find an invalid, unreadable or changed configuration, and one for rehearsals")
  func configuration() {
    expect("configuration", .problem, "regd.yaml:5: no", type: "regd --check-config") {
      $0.configuration.check = .bad("/etc/regd/regd.yaml:5: no")
    }
    expect("configuration", .ok, "there is no /etc/regd/regd.yaml; regd uses its defaults") {
      $0.configuration.check = .defaults
    }
    #expect(finding("reload") { $0.configuration.check = .defaults } == nil)
    expect("configuration", .unknown, "Permission denied", type: "sudo") {
      $0.configuration.check = .notDone("Permission denied")
    }
    expect("reload", .warning, "limits.connections, log.level", type: "regctl reload") {
      $0.daemon.dryRun = .result(["changed": .array(["limits.connections", ["key": "log.level"]])])
    }
    expect("reload", .problem, "would be refused: line 5") {
      $0.daemon.dryRun = .refused(code: -32000, message: "line 5")
    }
    expect("reload", .problem, "refused: f:5: no; f:7: nor this", type: "regctl reload --socket /s --dry-run") {
      $0.daemon.dryRun = .refused(code: -32000, message: "wrong", problems: ["f:5: no", "f:7: nor this"])
      $0.socket.path = "/s"
    }
    let old = DaemonFacts.Answer.refused(code: -32601, message: "no such method")
    expect("reload", .unknown, "does not report") { $0.daemon.dryRun = old }
    expect("reload", .warning, "was changed 60 s after regd started", type: "systemctl restart") {
      $0.daemon.dryRun = old
      ($0.configuration.modified, $0.configuration.loaded) = (160, 100)
    }
    expect("reload", .ok, "has not changed since regd started") {
      $0.daemon.dryRun = old
      ($0.configuration.modified, $0.configuration.loaded) = (40, 100)
    }
    #expect(finding("reload") { $0.daemon.dryRun = .refused(code: -32001, message: "") } == nil)
    for (info, evidence): (JSONValue, String) in [
      (["environment": ["name": "offline"]], "runs the environment offline"),
      (["network": ["backend": "scripted"]], "network.backend is scripted"),
      (["store": ["backend": "memory"]], "store.backend is memory"),
    ] {
      expect("rehearsal", .warning, evidence, type: "systemctl restart") { $0.daemon.info = .result(info) }
    }
  }

  @Test("the approval check finds approved domains of addresses that are not verified, and nothing else")
  func approval() {
    func values(_ yaml: String) -> (inout Facts) -> Void {
      { facts in
        let entries = (try? ConfigurationFile(yaml: "registration: {\(yaml)}"))?.entries ?? []
        facts.configuration.values = ConfiguredValues(file: entries, variables: [:], arguments: [])
      }
    }
    for approval in ["administrator", "uninvited"] {
      let domains = "approval: \(approval), approvedDomains: [example.org, \"*.example.net\"]"
      expect("approval", .warning, "addresses are not verified", type: "required; then regctl reload") {
        values(domains)(&$0)
      }
      #expect(finding("approval", values("\(domains), verification: required")) == nil)
      #expect(finding("approval", values("approval: \(approval), approvedDomains: []")) == nil)
    }
    #expect(finding("approval", values("approvedDomains: [example.org]")) == nil)
  }

  @Test("the background check reports each failing task with its reason")
  func background() {
    func task(_ name: String, _ failures: String, _ reason: String) -> JSONValue {
      [
        "name": .string(name), "since": "then", "failures": .number(failures), "reason": .string(reason),
      ]
    }
    expect(
      "background", .problem,
      "the background task sweep has been failing since then (failures: 3): full; the background task mail has been",
      type: "journalctl -u regd.service"
    ) {
      $0.daemon.status = .result(["failingTasks": .array([task("sweep", "3", "full"), task("mail", "1", "away")])])
    }
    #expect(finding("background") { $0.daemon.status = .none("late") } == nil)
  }

  @Test("if another program keeps the database open, the background check shows the command that finds it")
  func backgroundBlocked() {
    for (reason, path, advice) in [
      ("because another program reads or writes the database", "/d", "fuser -v /d   # the list includes regd"),
      ("the database is locked by another program (database is locked)", "/d", "fuser -v /d"),
      ("canceling statement due to lock timeout (SQLSTATE 55P03)", nil, "pg_stat_activity"),
      ("the server has not answered within 5.0 seconds", nil, "pg_stat_activity"),
      ("the disk is full", "/d", "journalctl -u regd.service"), ("full", nil, "journalctl -u regd.service"),
    ] as [(String, String?, String)] {
      let task: JSONValue = ["name": "sweep", "since": "then", "failures": .number("3"), "reason": .string(reason)]
      let store = JSONValue.object(path.map { [JSONValue.Member("path", .string($0))] } ?? [])
      expect("background", .problem, reason, type: advice) {
        $0.daemon.status = .result(["store": store, "failingTasks": .array([task])])
      }
    }
  }

  @Test("the store checks find failures by kind, damaged rows, unsuitable file systems and full disks")
  func store() {
    for (failure, advice) in [
      ("/d is not the file that regd has opened: it was replaced", "systemctl restart"),
      ("/d is missing: it was removed or moved away", "regctl export"),
      ("the database is locked by another program", "fuser -v /d"), ("the disk is full", "df -h /d"),
      ("a read-only file system", "findmnt -T /d"), ("nonsense", "journalctl"),
    ] {
      expect("store", .problem, "since then: \(failure)", type: advice) {
        $0.daemon.status = .result(["store": ["path": "/d", "since": "then", "failure": .string(failure)]])
      }
    }
    expect("store", .problem, "1 row that cannot be read: account 5", type: "regctl backup") {
      $0.daemon.status = .result(["store": ["damagedRows": .number("1"), "damaged": .array(["account 5"])]])
    }
    expect(
      "store", .problem, "is on timeline 1 with audit entries up to 9, but regd has seen timeline 2 and audit entry 12",
      type: "cp -a \"$PGDATA\" /root/timeline-2   # stop the server with the later state"
    ) {
      $0.daemon.status = .result([
        "store": [
          "since": "then", "failure": "gone back",
          "wentBack": [
            "timeline": .number("1"), "entry": .number("9"), "seenTimeline": .number("2"), "seenEntry": .number("12"),
          ],
        ]
      ])
    }
    expect("store", .problem, "earlier state", type: "run regctl accept-store --socket /s") {
      $0.daemon.status = .result(["store": ["wentBack": ["timeline": .number("1")]]])
      $0.socket.path = "/s"
    }
    for type in ["nfs4", "9p", "fuse.sshfs", "cifs"] {
      expect("filesystem", .problem, "is on \(type)", type: "local disk") { $0.places[0].type = type }
    }
    for type in ["tmpfs", "overlay"] { expect("filesystem", .warning, "is on \(type)") { $0.places[0].type = type } }
    expect("filesystem", .problem, "there is no directory /srv/x", type: "install -d") {
      $0.places[0].path = "/srv/x"
      $0.places[0].isThere = false
    }
    let away = DaemonFacts.Answer.none("away")
    for (obstacle, says, advice) in [
      (PathObstacle.noDirectory("/srv"), "/srv should be the directory of the database, but is not", "ls -ld /srv"),
      (.noFile("/srv/x/a", .directory), "/srv/x/a should be the database, but is not a regular", "ls -ld /srv/x/a"),
    ] {
      expect("filesystem", .problem, says, type: advice) {
        ($0.daemon.info, $0.places[0].path, $0.places[0].obstacle) = (away, "/srv/x", obstacle)
      }
      // a running regd has shown that it may use the directory
      #expect(finding("filesystem") { $0.places[0].obstacle = obstacle }?.verdict == .ok)
    }
    for (properties, bar) in [
      (["ProtectSystem": "strict", "ReadWritePaths": "-/srv/x"], nil),
      (["ProtectSystem": "strict", "StateDirectory": "regd"], "regd.service cannot write to /srv/x: its sandbox"),
      (["ProtectSystem": "full"], nil), ([:], nil),
    ] as [([String: String], String?)] {
      let found = finding("filesystem") {
        ($0.daemon.info, $0.places[0].path, $0.daemon.unitState) = (away, "/srv/x", properties)
      }
      #expect(found?.verdict == (bar == nil ? .ok : .problem), "\(properties)")
      #expect(bar.map { found?.evidence.contains($0) == true } ?? true, "\(properties)")
      #expect(bar == nil || found?.advice == "systemctl edit regd.service   # [Service] ReadWritePaths=/srv/x")
    }
    expect("filesystem", .problem, "hidden from regd.service", type: "ProtectHome=no") {
      ($0.daemon.info, $0.places[0].path, $0.daemon.unitState) = (away, "/home/x", ["ProtectHome": "yes"])
    }
    expect("filesystem", .unknown, "/var/lib/regd does not exist yet") { $0.places[0].isThere = false }
    expect("filesystem", .problem, "mounted read-only", type: "remount,rw") { $0.places[0].isReadOnly = true }
    for (free, files, verdict) in [
      (1 << 20, 1000, Finding.Verdict.problem), (1 << 26, 1000, .warning), (1 << 33, 5, .problem),
      (1 << 33, 100, .warning),
      (1 << 33, nil, .ok),
    ] as [(Int, Int?, Finding.Verdict)] {
      expect("disk", verdict, "/var/lib/regd ", type: verdict == .ok ? "" : "df -h") {
        $0.places[0].room = .init(freeBytes: free, totalBytes: 1 << 36, freeFiles: files)
      }
    }
    expect("disk", .problem, "/var/log/journal is full or nearly full: 1 MiB free", type: "journalctl --vacuum") {
      $0.places.append(
        PlaceFacts(
          use: .journal, path: "/var/log/journal", room: .init(freeBytes: 1 << 20, totalBytes: 1 << 30, freeFiles: nil))
      )
    }
    #expect(finding("disk") { $0.places[0].room = nil } == nil)
  }
}
