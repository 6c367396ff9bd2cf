import Linux
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// Catalogues that are read again.
@Suite("Reload: catalogues", .blocking, .timeLimit(.minutes(10)))
struct ReloadMessagesTests {
  private func write(_ text: String, _ name: String, _ it: ReloadableRegd) throws {
    let folder = "\(FileSystem.directory(of: it.file))/messages"
    if !FileSystem.exists(folder) { try FileSystem.makeDirectory(folder) }
    try TextFile.write(text, to: "\(folder)/\(name)")
  }

  @Test("a catalogue with a mistake is refused with its line and key, and nothing changes")
  func refused() throws {
    try ReloadableRegd.with { it in
      for (text, says) in [
        ("email.mising: \"x\"", "es.yaml:1: email.mising: unknown; did you mean \"email.missing\"?"),
        ("\nemail.space: \"{x}\"", "es.yaml:2: email.space: {x} is unknown: this message has none"),
        ("email.space: [a]", "es.yaml:1: email.space: must be a string"), ("email: 'x", "es.yaml:"),
      ] {
        try write(text, "es.yaml", it)
        let lines = try it.refused("limits: {depth: 32}")
        #expect(lines.first == "configuration.refused")
        #expect(lines.count == 2 && lines[1].contains(says), "\(lines)")
        #expect(try it.limit("depth") == 64)
      }
      try write("email.space: \"x\"", "es.yaml", it)
      let lines = try it.refused("messages: {language: fr}")
      #expect(
        lines.contains { $0.contains("there is no catalogue \"fr\"; choose one of ") }, "\(lines)")
      #expect(try it.generation() == 1)
    }
  }

  @Test("a reload reports changed messages, with and without a changed key")
  func changed() throws {
    try ReloadableRegd.with { it in
      #expect(try it.reload("") == [])
      try write("email.space: \"x\"", "es.yaml", it)
      #expect(try it.reload("", dryRun: true) == ["messages"])
      #expect(try it.reload("") == ["messages"])
      #expect(try it.reload("") == [])
      // regd does not use the messages of regctl.
      try write("email.space: \"x\"\nregctl.top.upTime: \"y\"", "es.yaml", it)
      #expect(try it.reload("") == [])
      #expect(try it.reload("messages: {language: es}") == ["messages.language"])
    }
  }

  @Test("an open connection gets the messages of the last reload")
  func open() throws {
    try ReloadableRegd.with { it in
      try write("email.missing: \"uno\"", "es.yaml", it)
      try it.reload("")
      let open = try it.regd.connect()
      let validate = #"{"jsonrpc":"2.0","id":1,"method":"registration.validate","params":{}}"# + "\n"
      try open.send(
        #"{"jsonrpc":"2.0","method":"rpc.language","params":{"language":"fr, es-MX;q=0.5"}}"# + "\n" + validate)
      #expect(try line(open).contains(#""message":"uno""#))
      try write("email.missing: \"dos\"", "es.yaml", it)
      try it.reload("")
      try open.send(validate)
      #expect(try line(open).contains(#""message":"dos""#))
    }
  }

  @Test("a catalogue with a mistake ends the start with exit status 78, and --check-config reports it")
  func start() throws {
    try TemporaryDirectory.with { directory in
      try FileSystem.makeDirectory("\(directory)/own")
      try TextFile.write("email.missing: \"{x}\"\nfoo: \"y\"", to: "\(directory)/own/es.yaml")
      try TextFile.write("messages: {directory: \"\(directory)/own\"}", to: "\(directory)/regd.yaml")
      for check in [["--check-config"], []] {
        let arguments = ["--socket-group=", "--config", "\(directory)/regd.yaml"] + check
        let (status, output) = try RegdProcess.run(
          program: Places.regd, arguments: arguments, environment: [:], directory: directory)
        #expect(status == 78)
        #expect(output.contains("\(directory)/own/es.yaml:1: email.missing: {x} is unknown"), "\(output)")
        #expect(output.contains("\(directory)/own/es.yaml:2: foo: unknown;"), "\(output)")
      }
    }
  }

  private func line(_ connection: RegdConnection) throws -> String {
    try connection.receiveLine().map { String(decoding: $0, as: UTF8.self) } ?? "(end)"
  }
}
