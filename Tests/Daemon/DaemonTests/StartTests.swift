import Linux
import RegdClient
import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import Daemon

@Suite("The start", .timeLimit(.minutes(10)))
struct StartTests {
  @Test("the service has its own name, so that the service group does not print its contents")
  func name() {
    let service: Any.Type = SocketService.self
    #expect(service is any CustomStringConvertible.Type)
  }

  @Test(
    "a library that cannot be loaded is reported with the key that needs it, and no other start needs it",
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

  @Test("a path below ~/ gets a private directory, and a directory that others may write to stops the start")
  func ownDirectory() throws {
    try TemporaryDirectory.with { directory in
      let home = directory
      let arguments = ["--config", "\(Places.environments)/offline.yaml"]
      let own = "\(home)/.regd"
      let regd = try RegdProcess(
        program: Places.regd, arguments: arguments, environment: ["HOME": home], directory: directory)
      #expect(try RegdClient(path: "\(own)/offline.sock").call("rpc.ping") == .success("pong"))
      #expect(try FileStatus(own).permissions == 0o700)
      #expect(regd.end() == 0)
      func refused() throws -> String {
        let run = try RegdProcess.run(
          program: Places.regd, arguments: arguments, environment: ["HOME": home], directory: directory)
        #expect(run.status == 78, "\(run.output)")
        return run.output
      }
      try FileSystem.setPermissions(0o777, of: own)
      #expect(try refused().contains("\(own) is writable by others (mode 0777)"))
      FileSystem.removeDirectory(own)
      try TextFile.write("", to: own)
      #expect(try refused().contains("\(own) is not a directory"))
    }
  }

  @Test("each shipped environment has its socket and its files in the home directory of the user who runs it")
  func environments() async throws {
    for name in try FileSystem.names(in: Places.environments) {
      let text = try #require(TextFile.read("\(Places.environments)/\(name)"))
      let settings = try await Settings(file: (name, text), environment: ["HOME": "/home/a"])
      #expect(settings.socket.path == "/home/a/.regd/\(name.dropLast(5)).sock")
      #expect(!text.contains("/tmp"), "\(name)")
      if let path = settings.store.chosen.path { #expect(path == "/home/a/.regd/\(name.dropLast(5)).db") }
    }
  }
}
