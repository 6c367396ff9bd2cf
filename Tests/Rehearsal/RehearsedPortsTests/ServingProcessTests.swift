import Linux
import RegdProcesses
import TestKit
import Testing

@testable import RehearsedPorts

@Suite("Programs that serve a port", .blocking, .timeLimit(.minutes(10)))
struct ServingProcessTests {
  @Test("the error for a missing program names the program and its package")
  func missing() {
    let failure = #expect(throws: PortFailure.self) {
      try Programs.find("socat", package: "socat", path: "/nonexistent:/")
    }
    #expect(failure?.description == "there is no program socat; Debian's package socat has it")
  }

  @Test("the processes end when the test's end of the leash closes, as after a crash")
  func leash() throws {
    try TemporaryDirectory.with { directory in
      let port = try Port()
      let secure = try SecurePort(port, directory: directory)
      let process = try secure.terminator(to: try Port())
      #expect(try !processes(with: directory).isEmpty)
      process.leash.descriptor.shutdown(.writing)
      #expect(try process.leash.descriptor.receive(atMost: 1).isEmpty)
      #expect(try processes(with: directory).isEmpty)
      if (try port.connected()) != nil { Issue.record("the port is still listened on") }
    }
  }

  @Test("ServingProcess does not wait for a program that ends before it listens")
  func endsAtOnce() throws {
    try TemporaryDirectory.with { directory in
      let failure = #expect(throws: PortFailure.self) {
        try ServingProcess(try Programs.openssl(), ["nonsense"], on: try Port(), log: "\(directory)/log")
      }
      #expect(failure?.description.contains("ended before it listened. Invalid command 'nonsense'") == true)
    }
  }
}
