import Localization
import RegdClient
import TestDoubles
import Testing

@testable import regctl

/// The checks of regd's surroundings: the machine and the upstream.
extension DoctorCheckTests {
  @Test("the machine checks find problems with the clock, processor time, memory and descriptors")
  func machine() {
    expect("clock", .warning, "is not synchronized with a time server", type: "timedatectl") {
      $0.machine.isClockSynchronized = false
    }
    expect("clock", .unknown, "does not report whether") { $0.machine.isClockSynchronized = nil }
    expect("clock", .problem, "2 days behind the build date of this program") { $0.machine.now = 900_000 - 2 * 86_400 }
    expect("clock", .problem, "990 s behind the last change to the store") { $0.machine.now = 999_010 }
    expect("cpu", .warning, "50% of one processor", type: "CPUQuota=") { $0.machine.processorQuota = 0.5 }
    expect("cpu", .ok, "150%") { $0.machine.processorQuota = 1.5 }
    expect("cpu", .warning, "in 25% of its scheduling periods") {
      ($0.machine.periods, $0.machine.throttledPeriods) = (400, 100)
    }
    expect("memory", .problem, "more than half of the 100 MiB", type: "MemoryMax=") {
      $0.machine.memoryLimitKiB = 102_400
    }
    expect("memory", .warning, "has only 10 MiB left") { $0.machine.memoryAvailableKiB = 10_240 }
    expect("memory", .problem, "killed processes in regd's control group 2 times") {
      $0.machine.outOfMemoryKills = 2
    }
    expect("descriptors", .warning, "limits.connections needs 4224", type: "LimitNOFILE=4224") {
      $0.daemon.descriptorLimit = 1024
    }
    expect("descriptors", .unknown, "cannot be read") { $0.daemon.descriptorLimit = nil }
    for name in ["cpu", "descriptors"] { #expect(finding(name) { $0.daemon.pid = nil } == nil) }
  }

  @Test("the upstream checks find each kind of failure, and an upstream that does not recognize a repeat")
  func upstream() {
    for (reason, detail, advice) in [
      ("network.offline", "Could not resolve host: up.example", "getent ahosts up.example"),
      ("network.offline", "Connection refused", "nc -vz up.example 8443"),
      ("network.untrusted", "self-signed", "openssl s_client -connect up.example:8443"),
      ("network.rejected", "HTTP status 401", "token"), ("network.failed", "", "curl -v https://up.example:8443/v1"),
    ] {
      expect("upstream", .problem, reason, type: advice) {
        $0.upstream?.attempt = .failed(reason: reason, detail: detail)
      }
    }
    let told: JSONValue = ["network": ["failure": "network.timeout", "since": "then"]]
    expect("upstream", .warning, "answers in 3 ms, but regd has been receiving this error since then") {
      $0.daemon.status = .result(told)
    }
    let offline: JSONValue = ["network": ["failure": "offline", "since": "then"]]
    expect("upstream", .warning, "IPAddressDeny= of regd.service may block", type: "systemctl edit regd.service") {
      $0.daemon.status = .result(offline)
    }
    expect("upstream", .warning, "since then: offline", type: "journalctl") {
      $0.daemon.status = .result(offline)
      $0.daemon.unitState = [:]
    }
    expect("upstream", .warning, "since then: offline", type: "journalctl") {
      $0.daemon.status = .result(offline)
      $0.upstream?.baseURL = "http://127.0.0.1:8099/v1"
    }
    expect("upstream", .problem, "regd has been receiving this error") {
      $0.daemon.status = .result(told)
      $0.upstream = nil
    }
    expect("upstream", .unknown, "may not be read", type: "sudo") { $0.upstream?.attempt = .notDone("may not be read") }
    expect("repeats", .problem, "returned different ids: a and b", type: "Idempotency-Key") {
      $0.upstream?.repeated = .ids("a", "b")
    }
    expect("repeats", .problem, "409") { $0.upstream?.repeated = .taken }
    expect("repeats", .unknown, "network.offline") { $0.upstream?.repeated = .failed("network.offline") }
    #expect(finding("repeats") { $0.upstream?.repeated = nil } == nil)
  }
}
