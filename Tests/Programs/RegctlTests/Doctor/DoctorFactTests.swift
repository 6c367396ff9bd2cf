import ConfigurationFile
import Linux
import Localization
import TestDoubles
import TestKit
import Testing

@testable import regctl

/// The facts that the doctor reads from texts of the kernel and of operators.
@Suite("The doctor's facts")
struct DoctorFactTests {
  @Test("the defaults that the doctor knows are the shipped ones")
  func defaults() throws {
    let file = try #require(Article.file("Config/regd.yaml"))
    let shipped = ConfiguredValues(file: try ConfigurationFile(yaml: file).entries, variables: [:], arguments: [])
    let built = ConfiguredValues()
    for key in ConfiguredValues.defaults.keys { #expect(shipped[key] == built[key], "\(key)") }
  }

  @Test("the command line overrides variables, variables override credentials, and credentials override the file")
  func layers() throws {
    let file = try ConfigurationFile(
      yaml: "network: {http: {baseURL: file, bearerToken: file}}\nstore: {backend: file}"
    ).entries
    let variables = ["REGD_NETWORK_HTTP_BASE_URL": "variable", "REGD_STORE_BACKEND": "variable"]
    let values = ConfiguredValues(
      file: file, credentials: ["network.http.bearerToken": "credential"], variables: variables,
      arguments: ["regd", "--store-backend", "line"])
    #expect(values["network.http.baseURL"] == "variable")
    #expect(values["network.http.bearerToken"] == "credential")
    #expect(values["store.backend"] == "line")
    #expect(values["hashing.memoryKiB"] == "19456")
    for option in ["--hashing-memoryKiB", "--hashing-memory-ki-b"] {
      let values = ConfiguredValues(file: [], variables: [:], arguments: [option, "20000"])
      #expect(values["hashing.memoryKiB"] == "20000", "\(option)")
    }
    let path = "--store-sqlite-path=~/r.db"
    let homes: [([String: String], String)] = [(["HOME": "/home/ann"], "/home/ann/r.db"), ([:], "~/r.db")]
    for (variables, expected) in homes {
      let values = ConfiguredValues(file: [], variables: variables, arguments: [path])
      #expect(values["store.sqlite.path"] == expected)
    }
    #expect(ConfiguredValues.value(of: "--config", in: ["regd", "--config"]) == nil)
    #expect(ConfiguredValues.value(of: "--config", in: ["regd", "--config=/x"]) == "/x")
  }

  @Test("the name of a unit that does not run determines the configuration that it would read")
  func configurationOfUnit() {
    #expect(ConfigurationLook.path(of: "regd@blue.service") == "/etc/regd/blue.yaml")
    #expect(ConfigurationLook.path(of: "regd.service") == "/etc/regd/regd.yaml")
  }

  @Test("a path is on the mount with the longest mount point above it, and on the last of several mounts there")
  func mounts() {
    let mounts = """
      nonsense
      20 1 8:1 / / rw - ext4 /dev/a rw
      21 20 8:2 / /var rw - xfs /dev/b rw
      22 21 0:5 / /var/lib/regd rw - nfs4 host:/x ro
      23 20 0:6 / /variable rw - tmpfs none rw
      24 20 0:7 / /a\\040b rw - ext4 /dev/c rw
      25 20 0:8 / / rw - overlay overlay rw
      """
    func type(_ path: String) -> String? { MountPoint.of(path, in: mounts)?.type }
    #expect(MountPoint.of("/x", in: "") == nil)
    #expect(type("/x") == "overlay")
    #expect(type("/var/lib") == "xfs")
    #expect(type("/variable/x") == "tmpfs")
    #expect(type("/a b/c") == "ext4")
    #expect(
      MountPoint.of("/var/lib/regd", in: mounts) == MountPoint(path: "/var/lib/regd", type: "nfs4", isReadOnly: true))
  }

  @Test("the report has commands on separate lines, wraps words to the width, and uses colours only on request")
  func report() {
    func said(_ text: String) -> LocalizedMessage {
      LocalizedMessage(DoctorConfigurationMessageKey.problems, ["problems": .text(text)])
    }
    var findings = [
      Finding.problem(
        said("one two three four five six seven eight nine ten"), type: "a command --that is=long enough to exceed it")
    ]
    findings[0].name = "disk"
    findings.append(.unknown(said("who knows")))
    #expect(
      DoctorReport(findings).text(colour: false, width: 46) == """
        problem  disk  one two three four five six
                       seven eight nine ten
                       > a command --that is=long enough to exceed it
        unknown        who knows

        1 problem; checks that could not be made: 1
        """)
    #expect(DoctorReport(findings).text(colour: true, width: 46).hasPrefix("\u{1B}[31mproblem\u{1B}[0m  disk"))
  }

  @Test("the article names each check, in the table's order")
  func article() throws {
    let rows = try #require(Article.named("Doctor")).rows("check", "what it finds")
    #expect(rows.map { Article.codes(in: $0[0]).joined() } == DoctorCheck.all.map(\.name))
  }
}
