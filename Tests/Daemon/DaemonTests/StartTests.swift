import RegdProcesses
import TestKit
import Testing

@testable import Daemon

@Suite("The start", .timeLimit(.minutes(10)))
struct StartTests {
  @Test("the service has a name of its own, so that the service group writes out nothing of what it holds")
  func name() {
    let service: Any.Type = SocketService.self
    #expect(service is any CustomStringConvertible.Type)
  }

  @Test(
    "a library that cannot be loaded is told with the key that needs it, and no other start needs it",
    arguments: [
      ("libcurl.so.4", ["--network-backend", "http", "--network-http-base-url", "https://upstream.example"]),
      ("libcurl.so.4", ["--mail-backend", "smtp", "--mail-smtp-url", "smtps://mail.example"]),
      ("libpq.so.5", ["--store-backend", "postgresql", "--store-postgresql-url", "postgresql://host.example/regd"]),
    ])
  func libraries(library: String, asking: [String]) throws {
    try TemporaryDirectory.with { directory in
      try TextFile.write("no library", to: "\(directory)/\(library)")
      func check(_ arguments: [String]) throws -> (status: Int32, output: String) {
        try TemporaryDirectory.with {
          try RegdProcess.run(
            program: Places.regd,
            arguments: ["--config", "\(Places.root)/Config/regd.yaml", "--socket-group=", "--check-config"] + arguments,
            environment: ["LD_LIBRARY_PATH": directory], directory: $0)
        }
      }
      let (status, output) = try check(asking)
      #expect(status == 78, "\(output)")
      #expect(output.contains("\(asking[2]): "), "\(output)")
      #expect(output.contains("cannot be read: lib"), "\(output)")
      #expect(output.contains("cannot be loaded: \(directory)/\(library): "), "\(output)")
      #expect(try check([]).status == 0)
    }
  }
}
