import Glibc
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@testable import Daemon

/// The reasons why a store or a socket cannot be opened, reported by a check, if it can know them, and by a failed
/// start.
@Suite("Obstacles to a start", .blocking, .timeLimit(.minutes(10)))
struct StartObstacleTests {
  /// - Parameter starter: A command that starts regd, such as setpriv.
  private func regd(
    _ directory: String, _ yaml: String, _ more: [String] = [], starter: String = ""
  ) throws -> (status: Int32, output: String) {
    try TextFile.write("socket: {group: \"\"}\naccess: {admin: {groups: []}}\n\(yaml)\n", to: "\(directory)/f.yaml")
    #expect(chmod("\(directory)/f.yaml", 0o644) == 0)
    let words = ["--config", "\(directory)/f.yaml"] + more
    return try RegdProcess.run(
      program: "/bin/sh", arguments: ["-c", "exec \(starter) \(Places.regd) \(words.joined(separator: " "))"],
      directory: directory)
  }

  @Test("a start reports a store's directory that is missing or not a directory, with line and key")
  func store() throws {
    try TemporaryDirectory.with { directory in
      try TextFile.write("", to: "\(directory)/file")
      for (path, says) in [
        ("none/regd.db", "there is no directory \(directory)/none: install -d -o "),
        ("file/regd.db", "\(directory)/file is not a directory, but must be one"),
        (
          "sub",
          "\(directory)/sub is a directory, but must be a file: choose a file in it, such as \(directory)/sub/regd.db"
        ),
      ] {
        mkdir("\(directory)/sub", 0o700)
        let yaml = "store: {sqlite: {path: \(directory)/\(path)}}"
        let start = try regd(directory, yaml, ["--socket-path", "\(directory)/s"])
        #expect(start.status == 69)
        let key = "\(directory)/f.yaml:3: store.sqlite.path: "
        #expect(
          start.output.contains("regd: \(key)the store \(directory)/\(path) cannot be opened: \(says)"),
          "\(start.output)")
        let check = try regd(directory, yaml, ["--check-config"])
        #expect(check.status == 0, "another user, or a unit, may find it otherwise")
        #expect(check.output.contains("f.yaml: valid\n"), "\(check.output)")
        #expect(check.output.contains("regd: warning: \(key)\(says)"), "\(check.output)")
      }
    }
  }

  @Test("a path that another user owns is reported with its owner and the user of regd", .needsRoot)
  func denied() throws {
    try TemporaryDirectory.with { directory in
      let nobody = "setpriv --reuid 65534 --regid 65534 --clear-groups"
      #expect(chmod(directory, 0o711) == 0)
      mkdir("\(directory)/mine", 0o777)
      #expect(chmod("\(directory)/mine", 0o777) == 0)
      let (path, socket) = ("\(directory)/mine/regd.db", ["--socket-path", "\(directory)/mine/s"])
      let yaml = "store: {sqlite: {path: \(path)}}"
      // A backup that root has copied to its place.
      try TextFile.write("", to: path)
      #expect(chmod(path, 0o600) == 0)
      let file = try regd(directory, yaml, socket, starter: nobody)
      #expect(file.status == 69)
      #expect(
        file.output.contains("\(path) belongs to root (mode 0600), but regd runs as the user nobody, who may not"))
      #expect(file.output.contains("chown nobody: \(path)"), "\(file.output)")
      #expect(chmod("\(directory)/mine", 0o755) == 0)
      let place = try regd(directory, yaml, socket, starter: nobody)
      #expect(place.output.contains("\(directory)/mine belongs to root (mode 0755)"), "\(place.output)")
      #expect(chmod("\(directory)/mine", 0o700) == 0)
      let way = try regd(
        directory, "store: {sqlite: {path: \(directory)/mine/a/regd.db}}", socket, starter: nobody)
      #expect(way.output.contains("who may not pass through it: choose another path, or chmod o+x"), "\(way.output)")
    }
  }

  @Test("a read-only mount is reported as one, and a full disk as full", .needsRoot)
  func mounts() throws {
    try TemporaryDirectory.with { directory in
      mkdir("\(directory)/mnt", 0o700)
      let yaml = "store: {sqlite: {path: \(directory)/mnt/regd.db}}"
      func mounted(_ options: String, then command: String = ":") throws -> String {
        try regd(
          directory, yaml, ["--socket-path", "\(directory)/s"],
          starter:
            "unshare -m sh -c 'mount -t tmpfs -o \(options) none \(directory)/mnt && { \(command); } && exec \"$@\"' sh"
        ).output
      }
      let readOnly = try mounted("ro")
      #expect(
        readOnly.contains("the file system at \(directory)/mnt (tmpfs) is mounted read-only: mount -o remount,rw"),
        "\(readOnly)")
      let here = try mounted("rw", then: "mount -o remount,bind,ro \(directory)/mnt")
      #expect(here.contains("read-only for this process") || here.contains("the sandbox of"), "\(here)")
      let full = try mounted("size=64k", then: "head -c 70000 /dev/zero >\(directory)/mnt/x || :")
      #expect(full.contains("the file system of \(directory)/mnt is full"), "\(full)")
    }
  }

  @Test("a missing directory of the socket is reported with its key")
  func socket() throws {
    try TemporaryDirectory.with { directory in
      let start = try regd(directory, "store: {backend: memory}", ["--socket-path", "\(directory)/none/s"])
      #expect(start.status == 71)
      #expect(
        start.output.contains(
          "socket.path: \(directory)/none/s cannot be created: there is no directory \(directory)/none"),
        "\(start.output)")
    }
  }

  @Test("a group to which regd may not give its socket is reported with its key", .needsRoot)
  func group() throws {
    try TemporaryDirectory.with { directory in
      #expect(chmod(directory, 0o777) == 0)
      let start = try regd(
        directory, "store: {backend: memory}", ["--socket-path", "\(directory)/s", "--socket-group", "0"],
        starter: "setpriv --reuid 65534 --regid 65534 --clear-groups")
      #expect(start.status == 71)
      #expect(start.output.contains("socket.group: \(directory)/s cannot be given to that group"), "\(start.output)")
      #expect(start.output.contains("the user nobody must be a member of it"), "\(start.output)")
    }
  }

  @Test("without /proc, which regd needs for its socket's mode, the start reports this", .needsRoot)
  func withoutProc() throws {
    try TemporaryDirectory.with { directory in
      let start = try regd(
        directory, "store: {backend: memory}", ["--socket-path", "\(directory)/s"],
        starter: "unshare -m sh -c 'umount -l /proc && exec \"$@\"' sh")
      #expect(start.status == 71)
      #expect(start.output.contains("socket.path: \(directory)/s: regd sets"), "\(start.output)")
      #expect(start.output.contains("/proc, which is not mounted"), "\(start.output)")
    }
  }

  @Test("a check of the configuration reports the warnings of a start, and the configuration as valid")
  func absences() throws {
    try TemporaryDirectory.with { directory in
      let here = "store: {backend: memory}\npassword: {breachedList: \(directory)/list}\n"
      for (yaml, says) in [
        ("", "f.yaml:4: password.breachedList: \(directory)/list does not exist"),
        (
          "registration: {approval: administrator, approvedDomains: [example.org]}",
          "f.yaml:5: registration.approvedDomains: registration.verification is none, so every caller can register"
        ),
        (
          "access: {admin: {groups: [nobody-has-this]}}",
          "access.admin.groups: there is no group nobody-has-this on this machine"
        ),
        (
          "doors: {a: {protocol: saslauthd, path: \(directory)/a, peers: {users: [nobody-has-this]}}}",
          "f.yaml:5: doors.a.peers.users: there is no user nobody-has-this on this machine"
        ),
        (
          "mail: {backend: sendmail, from: a@b.example, sendmail: {path: \(directory)/sendmail}}",
          "mail.sendmail.path: \(directory)/sendmail is not a program that regd may start"
        ),
        (
          "mail: {backend: file, from: a@b.example, file: {directory: \(directory)/mails}}",
          "mail.file.directory: \(directory)/mails: No such file or directory"
        ),
        (
          "mail: {backend: smtp, from: a@b.example, smtp: {url: \"smtp://localhost\", caFile: \(directory)/ca.pem}}",
          "mail.smtp.caFile: \(directory)/ca.pem cannot be read (No such file or directory)"
        ),
        (
          "network: {backend: http, http: {baseURL: \"https://a.example\", caFile: \(directory)/ca.pem}}",
          "network.http.caFile: \(directory)/ca.pem cannot be read (No such file or directory)"
        ),
      ] {
        let text = yaml.hasPrefix("access:") ? here : here + yaml
        let more = yaml.hasPrefix("access:") ? ["--access-admin-groups", "nobody-has-this"] : []
        let check = try regd(directory, text, ["--check-config"] + more)
        #expect(check.status == 0)
        #expect(check.output.contains("f.yaml: valid\n") && check.output.contains(says), "\(check.output)")
      }
    }
  }

  @Test("without a configuration file, a warning about a default states that the value is the default")
  func absenceOfDefault() async throws {
    let source = ConfigurationSource(
      file: nil, arguments: ["--socket-group=", "--access-admin-groups="], environment: [:])
    var configuration = try await source.load()
    try #require(configuration.file == nil, "this machine has \(ConfigurationSource.defaultFile)")
    configuration.settings.unknownMembers = [
      UnknownMember(key: "access.admin.groups", name: "group a"), UnknownMember(key: "no.such.key", name: "group b"),
    ]
    let warnings = configuration.warnings.map(\.description)
    #expect(warnings.contains { $0.hasPrefix("default value: no.such.key: there is no group b ") }, "\(warnings)")
    let places = ["default value: ", "--access-admin-groups: access.admin.groups: "]
    #expect(warnings.allSatisfy { warning in places.contains { warning.hasPrefix($0) } }, "\(warnings)")
  }

  @Test("a door whose peers do not exist on this machine does not stop the start, and causes a warning")
  func unknownPeers() throws {
    try TemporaryDirectory.with { directory in
      let file = "\(directory)/f.yaml"
      let door = "{protocol: saslauthd, path: \(directory)/a, peers: {users: [nobody-has-this]}}"
      try TextFile.write("store: {backend: memory}\ndoors: {a: \(door)}\n", to: file)
      try withRegd(configuration: file) { regd in
        regd.process.end()
        let log = regd.process.output
        #expect(log.contains("has no effect: doors.a.peers.users: user nobody-has-this"), "\(log)")
      }
    }
  }

  @Test("a certificate and a key that are swapped are refused, and the error names the content of each")
  func swapped() throws {
    try TemporaryDirectory.with { directory in
      for (file, content) in [("c", "CERTIFICATE"), ("k", "PRIVATE KEY")] {
        try TextFile.write(
          "-----BEGIN \(content)-----\nAA==\n-----END \(content)-----\n", to: "\(directory)/\(file).pem")
      }
      func check(_ certificate: String, _ key: String) throws -> (status: Int32, output: String) {
        try regd(
          directory,
          """
          store: {backend: memory}
          network:
            backend: http
            http:
              baseURL: "https://a.example"
              clientCertificateFile: \(directory)/\(certificate).pem
              clientKeyFile: \(directory)/\(key).pem
          """, ["--check-config"])
      }
      #expect(try check("c", "k").status == 0)
      let swapped = try check("k", "c")
      #expect(swapped.status == 78)
      #expect(
        swapped.output.contains(
          "clientCertificateFile: \(directory)/k.pem has no line that ends in CERTIFICATE-----, but has one that ends in PRIVATE KEY-----"
        ), "\(swapped.output)")
      #expect(swapped.output.contains("clientKeyFile: \(directory)/c.pem has no line that ends in PRIVATE KEY-----"))
    }
  }

  @Test("a missing folder of catalogues is reported with its key and line")
  func messages() throws {
    try TemporaryDirectory.with { directory in
      let check = try regd(
        directory, "store: {backend: memory}\nmessages: {directory: \(directory)/own}", ["--check-config"])
      #expect(check.status == 78)
      #expect(
        check.output.contains(
          "f.yaml:4: messages.directory: \(directory)/own cannot be read: No such file or directory"),
        "\(check.output)")
    }
  }
}
